import type { CSSProperties, ReactNode } from 'react'

/*
 * The HTML that all mail programs display alike: layout by tables, since Outlook knows no other, and spaces as padding of cells, with each
 * side spelled out. `look.ts` has the colors and type.
 */

type ElementProps = { className?: string; style: CSSProperties; children: ReactNode }

const bare = { border: 0, cellPadding: '0', cellSpacing: '0', role: 'presentation' } as const

export function MailDocument({ subject, styles, children }: { subject: string; styles: string; children: ReactNode }) {
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta content="text/html; charset=UTF-8" httpEquiv="Content-Type" />
        <meta name="x-apple-disable-message-reformatting" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{styles}</style>
      </head>
      {children}
    </html>
  )
}

/** Yahoo and AOL drop the styles of the body, so its cell has them. */
export function MailBody({ className, style, children }: ElementProps) {
  const { backgroundColor } = style
  return (
    <body className={className} dir="ltr" lang="en" style={{ backgroundColor, margin: 0, padding: 0 }}>
      <table {...bare} width="100%" align="center">
        <tbody>
          <tr>
            <td dir="ltr" lang="en" style={style}>
              {children}
            </td>
          </tr>
        </tbody>
      </table>
    </body>
  )
}

/** In characters, which is more than any mail program shows in its list. */
const PREVIEW_LENGTH = 200
const INVISIBLE = '\u00A0\u200C\u200B\u200D\uFEFF'

/** The text after the subject in a list of emails. Invisible characters keep the beginning of the email out of it. */
export function MailPreview({ children }: { children: string }) {
  const text = children.slice(0, PREVIEW_LENGTH)
  const hidden: CSSProperties = { display: 'none', overflow: 'hidden', lineHeight: '1px', opacity: 0, maxHeight: 0, maxWidth: 0 }
  return (
    <div style={hidden} data-skip-in-text="true">
      {text}
      {text.length < PREVIEW_LENGTH && <div>{INVISIBLE.repeat(PREVIEW_LENGTH - text.length)}</div>}
    </div>
  )
}

/** The column of an email. */
export function MailColumn({ width, children }: { width: string; children: ReactNode }) {
  return (
    <table {...bare} align="center" width="100%" style={{ maxWidth: width, width: '100%' }}>
      <tbody>
        <tr style={{ width: '100%' }}>
          <td>{children}</td>
        </tr>
      </tbody>
    </table>
  )
}

type MailSectionProps = ElementProps & { cellName?: string; isSkippedInText?: boolean }

export function MailSection({ className, cellName, isSkippedInText, style: { padding, ...style }, children }: MailSectionProps) {
  return (
    <table {...bare} align="center" width="100%" className={className} style={style} data-skip-in-text={isSkippedInText}>
      <tbody>
        <tr>
          <td className={cellName} style={{ padding }}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

type MailTextProps = ElementProps & { margin: [top: string, right: string, bottom: string, left: string] }

/** Outlook.com drops a `margin` in one word, but not its four sides. */
export function MailText({ className, style, margin: [marginTop, marginRight, marginBottom, marginLeft], children }: MailTextProps) {
  return (
    <p className={className} style={{ ...style, marginTop, marginRight, marginBottom, marginLeft }}>
      {children}
    </p>
  )
}

export function MailLink({ href, className, style, children }: ElementProps & { href: string }) {
  return (
    <a href={href} className={className} style={style} target="_blank">
      {children}
    </a>
  )
}

type MailButtonProps = ElementProps & { href: string; /** In pixels. */ padding: { block: number; inline: number } }

/** Outlook ignores the padding of links, so wide spaces in conditional comments take its place there. */
export function MailButton({ href, className, style, padding: { block, inline }, children }: MailButtonProps) {
  const outside: CSSProperties = { lineHeight: '100%', textDecoration: 'none', display: 'inline-block', maxWidth: '100%' }
  const inside: CSSProperties = { maxWidth: '100%', display: 'inline-block', lineHeight: '120%' }
  const sides = { paddingTop: block, paddingRight: inline, paddingBottom: block, paddingLeft: inline }
  return (
    <a href={href} className={className} style={{ ...outside, ...outlook('0px'), ...style, ...sides }} target="_blank">
      <span dangerouslySetInnerHTML={{ __html: outlookSpace(inline, `;mso-text-raise:${pointsOf(2 * block)}px`) }} />
      <span style={{ ...inside, ...outlook('0px', pointsOf(block)) }}>{children}</span>
      <span dangerouslySetInnerHTML={{ __html: outlookSpace(inline, '', '&#8203;') }} />
    </a>
  )
}

/** Properties that Outlook alone knows. */
function outlook(msoPaddingAlt: string, msoTextRaise?: number): object {
  return { msoPaddingAlt, msoTextRaise }
}

/** Outlook widens a hair space to at most 5 times its font's width, of which two halves make a pixel. */
const WIDEST = 5

function outlookSpace(pixels: number, raise: string, end = ''): string {
  const spaces = Math.ceil(pixels / 2 / WIDEST)
  const width = spaces && (pixels / spaces / 2) * 100
  return `<!--[if mso]><i style="mso-font-width:${width}%${raise}" hidden>${'&#8202;'.repeat(spaces)}${end}</i><![endif]-->`
}

const pointsOf = (pixels: number) => (pixels * 3) / 4
