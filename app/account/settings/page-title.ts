import { identity } from '#app/content/identity.ts'

/** The head of an account page. */
export function accountHead(title: string) {
  return [{ title: `${title} · Account · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
}
