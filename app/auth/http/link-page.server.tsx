import { renderToStaticMarkup } from 'react-dom/server'
import { identity } from '#app/content/identity.ts'

/** Link types in emails that other programs send. */
export type LinkPageType = 'signup' | 'invite' | 'recovery' | 'magiclink' | 'email' | 'email_change'

type LinkPage = { token: string; type: LinkPageType; target: string | undefined; nonce: string }

const words: Record<LinkPageType, { title: string; button: string }> = {
  signup: { title: 'Confirm your address', button: 'Confirm this address' },
  invite: { title: 'You are invited', button: 'Accept the invitation' },
  recovery: { title: 'Choose a new password', button: 'Continue' },
  magiclink: { title: 'Sign in', button: 'Sign in' },
  email: { title: 'Sign in', button: 'Sign in' },
  email_change: { title: 'Change your email address', button: 'Confirm the change' },
}

/** The page behind a link in another program's email. Only its button uses the link up. It needs no script or file. */
export function linkPage({ token, type, target, nonce }: LinkPage): string {
  const { title, button } = words[type]
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${identity.name}`}</title>
        <style nonce={nonce}>{look}</style>
      </head>
      <body>
        <main>
          <p className="name">{identity.name}</p>
          <section aria-labelledby="title">
            <h1 id="title">{title}</h1>
            <p>{target ? `Click the button to continue to ${new URL(target).host}.` : 'Click the button to finish.'}</p>
            <form method="post" action="verify">
              <input type="hidden" name="token" value={token} />
              <input type="hidden" name="type" value={type} />
              {target && <input type="hidden" name="redirect_to" value={target} />}
              <button type="submit">{button}</button>
            </form>
          </section>
        </main>
      </body>
    </html>
  )
  return `<!doctype html>${renderToStaticMarkup(page)}`
}

/** The form may redirect to the target only. */
export function linkPagePolicy({ nonce, target }: Pick<LinkPage, 'nonce' | 'target'>): string {
  const { origin, protocol } = new URL(target ?? 'about:blank')
  // An app's URL has no origin, only a scheme.
  const place = target && (origin === 'null' ? protocol : origin)
  return `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'${place ? ` ${place}` : ''}; base-uri 'none'; frame-ancestors 'none'`
}

/** The site's colors and sizes. Its typefaces would need extra files. */
const look = `
:root { color-scheme: light dark; --paper: #faf8f4; --card: #fff; --line: #e3dfd6; --ink: #14201b; --muted: #495650; --grain: #e0a32e }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0e1512; --card: #151e1a; --line: #26332d; --ink: #edf2ee; --muted: #a2b4aa; --grain: #f2b33d }
}
* { box-sizing: border-box; margin: 0 }
body { background: var(--paper); color: var(--ink); font: 1rem/1.6 Inter, system-ui, sans-serif }
main { min-height: 100vh; display: grid; align-content: center; gap: 1rem; max-width: 32rem; margin: auto; padding: 2rem 1rem }
.name { font-weight: 700 }
section { display: grid; gap: 1.25rem; padding: 2.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.02em }
section p { color: var(--muted); overflow-wrap: anywhere }
form { display: grid }
button { min-height: 3rem; border: 0; border-radius: 6px; background: var(--grain); color: #14201b; font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px }
`
