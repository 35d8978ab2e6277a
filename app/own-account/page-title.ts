import { identity } from '#app/site/content/identity.ts'

/** The head of a page of one's own account. */
export function accountHead(title: string) {
  return [{ title: `${title} · Account · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
}
