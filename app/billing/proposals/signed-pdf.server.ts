import { shareOf } from '#app/billing/orders/totals.ts'
import { identity } from '#app/content/identity.ts'
import { legalEntity } from '#app/content/legal.ts'
import { env } from '#app/platform/env.server.ts'
import { type Letters, lettersOf, type Look } from '#app/billing/invoices/letters.server.ts'
import { percentText } from '#app/platform/text/english-number.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import textFont from '#app/ui/fonts/inter-400.ttf?inline'
import { netOfLine, orderLinesOf, type ProposalLine, takenLines } from './proposal.ts'
import type { SignedDocument } from './signed-document.ts'

type Signed = { document: SignedDocument; hash: string; counter: { name: string; at: Date } | undefined }

const MARGIN = 56
const sizes = { title: 20, heading: 13, text: 10, fine: 8.5 } as const

/** The signed proposal as a tagged PDF: what was agreed, then the certificate of both signatures. */
export async function signedPdf({ document, hash, counter }: Signed): Promise<Buffer> {
  // Loaded with the first signature.
  const { default: Pdf } = await import('pdfkit')
  const { content, reference, number } = document
  const pdf = new Pdf({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    displayTitle: true,
    lang: 'en',
    info: { Title: `${content.title} (${reference}, version ${number})`, Author: identity.name },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  pdf.registerFont('text', Buffer.from(textFont.slice(textFont.indexOf(',') + 1), 'base64'))
  pdf.font('text')
  const told = [JSON.stringify(document), counter?.name, legalEntity.name, identity.name].join('')
  const sheet = new Sheet(pdf, await lettersOf(pdf, told))
  writeProposal(sheet, document)
  pdf.addPage()
  writeCertificate(sheet, { document, hash, counter })
  sheet.end()
  pdf.end()
  await done
  return Buffer.concat(chunks)
}

/** A page with headings and paragraphs that are read in their order. */
class Sheet {
  readonly #pdf: PDFKit.PDFDocument
  readonly #letters: Letters
  readonly #root: PDFKit.PDFStructureElement

  constructor(pdf: PDFKit.PDFDocument, letters: Letters) {
    this.#pdf = pdf
    this.#letters = letters
    this.#root = pdf.struct('Document')
    pdf.addStructure(this.#root)
  }

  heading(text: string, level: 1 | 2 = 2) {
    if (level === 2) this.#pdf.y += 14
    this.#write(level === 1 ? 'H1' : 'H2', text, level === 1 ? sizes.title : sizes.heading, 5)
  }

  text(text: string, size: number = sizes.text) {
    if (text !== '') this.#write('P', text, size, 3)
  }

  /** A label and what it says; an amount stands at the right. */
  fact(label: string, value: string) {
    const pdf = this.#pdf
    const width = pdf.page.width - 2 * MARGIN
    const left = lookOf(sizes.text, width * 0.6)
    const right = { ...lookOf(sizes.text, width * 0.38), isRight: true }
    const height = Math.max(this.#letters.heightOf(label, left), this.#letters.heightOf(value, right))
    this.#add('P', () => {
      if (pdf.y + height > pdf.page.height - MARGIN) pdf.addPage()
      const top = pdf.y
      this.#letters.draw(label, MARGIN, top, left)
      this.#letters.draw(value, MARGIN + width * 0.62, top, right)
      pdf.x = MARGIN
      pdf.y = top + height + 4
    })
  }

  end() {
    this.#root.end()
  }

  /** Line by line, so that a text goes on at the next page. */
  #write(kind: string, text: string, size: number, gap: number) {
    const pdf = this.#pdf
    const look = lookOf(size, pdf.page.width - 2 * MARGIN)
    const height = this.#letters.lineHeight(look)
    this.#add(kind, () => {
      for (const line of this.#letters.linesOf(text, look)) {
        if (pdf.y + height > pdf.page.height - MARGIN) pdf.addPage()
        const top = pdf.y
        this.#letters.drawLine(line, MARGIN, top, look)
        pdf.y = top + height
      }
      pdf.y += gap
    })
  }

  #add(kind: string, write: () => void) {
    this.#root.add(this.#pdf.struct(kind, {}, write))
  }
}

function lookOf(size: number, width: number): Look {
  return { font: 'text', size, color: '#14201b', width }
}

function writeProposal(sheet: Sheet, document: SignedDocument): void {
  const { content, reference, number, buyer, taxParts, gross, net, deposit } = document
  const { currency } = content
  sheet.heading(content.title, 1)
  sheet.text(`Proposal ${reference}, version ${number}, of ${longDay(new Date(document.sentAt))}`)
  sheet.text(`From ${legalEntity.name || identity.name} for ${buyer.company}${buyer.vatNumber ? `, VAT number ${buyer.vatNumber}` : ''}`)
  sheet.text(content.intro)
  sheet.heading('What was agreed')
  for (const line of takenLines(content, document)) {
    sheet.fact(titleOf(line, currency), moneyText(netOfLine(line), currency))
    sheet.text(line.detail, sizes.fine)
  }
  sheet.heading('Amounts')
  const discount = orderLinesOf(content, document).find(({ isAllowance }) => isAllowance)
  if (discount) sheet.fact(['Discount', discount.detail].filter(Boolean).join(', '), moneyText(-discount.unitAmount, currency))
  sheet.fact('Total before tax', moneyText(net, currency))
  for (const part of taxParts)
    sheet.fact(part.reason || `Tax, ${percentText(part.rate)} of ${moneyText(part.net, currency)}`, moneyText(part.tax, currency))
  sheet.fact('Total', moneyText(gross, currency))
  if (deposit > 0) sheet.fact(`Deposit, ${percentText(content.depositShare)} of the total`, moneyText(deposit, currency))
  if (deposit > 0)
    sheet.text(
      content.isNonRefundable ? 'The deposit is not refundable unless agreed otherwise.' : 'The deposit is refundable until work begins.',
    )
  if (content.startsOn || content.deliversOn) sheet.heading('Dates')
  if (content.startsOn) sheet.fact('Work begins', longDay(new Date(content.startsOn)))
  if (content.deliversOn) sheet.fact('Delivery', longDay(new Date(content.deliversOn)))
  if (content.needs) sheet.heading('What we need from you')
  sheet.text(content.needs)
  sheet.heading(`Terms, version ${content.termsVersion}`)
  sheet.text(content.terms, sizes.fine)
}

function titleOf({ title, quantity, unitAmount, discountShare }: ProposalLine, currency: string): string {
  const count = quantity === 1000 ? '' : `${quantity / 1000} × ${moneyText(unitAmount, currency)}`
  const discount =
    discountShare === 0
      ? ''
      : `less ${percentText(discountShare)} (${moneyText(shareOf(shareOf(unitAmount, quantity, 3), discountShare, 4), currency)})`
  const more = [count, discount].filter(Boolean).join(', ')
  return more ? `${title} (${more})` : title
}

function writeCertificate(sheet: Sheet, { document, hash, counter }: Signed): void {
  const { signer, buyer, consents, sentAt, firstOpenedAt, signedAt, reference } = document
  sheet.heading('Certificate of signature', 1)
  sheet.text(`This page is evidence of how proposal ${reference} was signed electronically.`)
  sheet.heading('Client')
  sheet.fact('Signed by', signer.name)
  sheet.fact('For', buyer.company)
  sheet.fact('Address, proven by a code', signer.email)
  sheet.fact('Sent', atUtc(sentAt))
  sheet.fact('First opened, before it was signed', atUtc(firstOpenedAt))
  sheet.fact('Signed', atUtc(signedAt))
  sheet.text('The network address is kept sealed, and given out only where the signature is disputed.', sizes.fine)
  sheet.heading('The client agreed to')
  for (const consent of consents) sheet.text(consent)
  sheet.heading(identity.name)
  if (counter) {
    sheet.fact('Countersigned by', counter.name)
    sheet.fact('Countersigned', atUtc(counter.at.toISOString()))
  } else sheet.text('Not countersigned yet. A later file has both signatures.')
  sheet.heading('Fingerprints')
  sheet.text(`Signed document (SHA-256): ${hash}`, sizes.fine)
  sheet.text(`Proposal as it was sent (SHA-256): ${document.contentHash}`, sizes.fine)
  sheet.text(`Check that this file is genuine and unchanged: ${env.SITE_URL}/verify`, sizes.text)
}

function atUtc(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
