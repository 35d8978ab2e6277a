import { renderToStaticMarkup } from 'react-dom/server'
import { toPlainText } from 'react-email'
import { env } from '#app/platform/env.server.ts'
import { identity } from '#app/site/content/identity.ts'
import { Sheet } from './layout.tsx'
import { writeLetter } from './letter.server.ts'

/** A letter as it leaves: what the reader's program shows. */
export type RenderedLetter = { subject: string; html: string; text: string; replyTo?: string }

export type AddressedLetter = RenderedLetter & { to: string; messageId: string }

const sender = { ...identity, siteUrl: env.SITE_URL }

/** Writes a letter from its data: as HTML, and as plain text made from it. */
export function renderLetter(kind: string, json: string): RenderedLetter {
  const { subject, preview, body, replyTo } = writeLetter(kind, json)
  const sheet = renderToStaticMarkup(
    <Sheet subject={subject} preview={preview} sender={sender}>
      {body}
    </Sheet>,
  )
  return { subject, html: `<!doctype html>${sheet}`, text: plain(sheet), ...(replyTo && { replyTo }) }
}

function plain(html: string): string {
  return `${toPlainText(html, {
    selectors: [
      // Around an address, so that the full stop after it stays outside.
      { selector: 'a', options: { linkBrackets: ['<', '>'], hideLinkHrefIfSameAsText: true } },
      { selector: 'h1', options: { uppercase: false } },
      { selector: '[data-text-format="facts"]', format: 'dataTable', options: { uppercaseHeaderCells: false, colSpacing: 2 } },
    ],
  }).trim()}\n`
}
