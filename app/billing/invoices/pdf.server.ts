import { identity } from '#app/content/identity.ts'
// oxlint-disable-next-line import/no-named-as-default -- its types declare only the default export
import PDFDocument from 'pdfkit'
import { decimalText, minorDigits } from '#app/platform/text/money.ts'
import type { InvoiceDocument } from './document.ts'
import { epcCode } from './epc-code.ts'
import { type Letters, lettersOf } from './letters.server.ts'
import { prepaymentTitle } from './prepayment.ts'
import { invoiceWords, titleOf } from './words.ts'

export type InvoiceFonts = { regular: Uint8Array; bold: Uint8Array }

const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
/** Below are the facts of the seller. */
const BOTTOM = 752
/** The edge of the code for banking apps, 35 millimeters: they read it from paper and from a screen. */
const CODE = 100
const [INK, MUTED, LINE] = ['#14201b', '#4c5a54', '#c9c4b8']

declare global {
  // Options that the library has and its types lack.
  namespace PDFKit.Mixins {
    interface PDFAttachmentOptions {
      relationship?: 'Alternative'
    }
    interface StructureElementOptions {
      scope?: 'Column' | 'Row'
    }
  }
}

type Pdf = PDFKit.PDFDocument
type Cell = { text: string; width: number; isRight?: boolean }

/**
 * Draws an invoice as PDF/A-3b with tags, from nothing but its document, so that it is the same whenever it is made again. `xml` is embedded as
 * the invoice for programs (Factur-X).
 */
export async function drawInvoice(invoice: InvoiceDocument, fonts: InvoiceFonts, xml?: string): Promise<Buffer> {
  const words = invoiceWords(invoice.language)
  const issued = new Date(`${invoice.issuedOn}T12:00:00Z`)
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    subset: 'PDF/A-3b',
    pdfVersion: '1.7',
    tagged: true,
    lang: words.locale,
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: `${titleOf(invoice)} ${invoice.number}`,
      Creator: identity.name,
      Producer: 'pdfkit',
      CreationDate: issued,
      ModDate: issued,
    },
  })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  pdf.registerFont('regular', Buffer.from(fonts.regular))
  pdf.registerFont('bold', Buffer.from(fonts.bold))
  if (xml !== undefined) embed(pdf, xml, issued)
  new Sheet(pdf, invoice, await lettersOf(pdf, JSON.stringify(invoice))).draw()
  pdf.end()
  return done
}

/** Factur-X: the XML beside the pages, and the sentence in the metadata that says so. */
function embed(pdf: Pdf, xml: string, issued: Date): void {
  pdf.file(Buffer.from(xml), {
    name: 'factur-x.xml',
    type: 'text/xml',
    description: 'The invoice for programs (Factur-X, EN 16931)',
    relationship: 'Alternative',
    creationDate: issued,
    modifiedDate: issued,
  })
  const schema = [
    ['DocumentFileName', 'The name of the embedded XML document'],
    ['DocumentType', 'The type of the hybrid document in capital letters, such as INVOICE'],
    ['Version', 'The actual version of the standard applying to the embedded XML document'],
    ['ConformanceLevel', 'The conformance level of the embedded XML document'],
  ]
  const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
  const properties = schema.map(
    ([name, description]) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  )
  pdf.appendXML(
    `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${properties.join('')}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
    <rdf:Description rdf:about="" xmlns:fx="${namespace}"><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>factur-x.xml</fx:DocumentFileName><fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>`,
  )
}

/** The pages of an invoice, from top to bottom. */
class Sheet {
  readonly #pdf: Pdf
  readonly #invoice: InvoiceDocument
  readonly #letters: Letters
  readonly #words: ReturnType<typeof invoiceWords>
  readonly #root: PDFKit.PDFStructureElement
  #y = MARGIN

  constructor(pdf: Pdf, invoice: InvoiceDocument, letters: Letters) {
    this.#pdf = pdf
    this.#letters = letters
    this.#invoice = invoice
    this.#words = invoiceWords(invoice.language)
    this.#root = pdf.struct('Document')
    pdf.addStructure(this.#root)
  }

  draw(): void {
    this.#head()
    this.#parties()
    this.#facts()
    this.#lines()
    this.#taxes()
    this.#sums()
    this.#notes()
    this.#root.end()
    this.#feet()
  }

  #head(): void {
    const { seller, number, isTest } = this.#invoice
    this.#text('P', seller.name, { size: 10, color: MUTED })
    this.#y += 18
    this.#text('H1', `${titleOf(this.#invoice)} ${number}`, { size: 22, isBold: true })
    if (isTest) this.#text('P', this.#words.test, { size: 10, isBold: true })
    this.#y += 14
  }

  #parties(): void {
    const { seller, buyer, language } = this.#invoice
    const { from, to, vatNumber, taxNumber } = this.#words
    const country = new Intl.DisplayNames(language === 'de' ? 'de' : 'en', { type: 'region' })
    const named = (label: string, value: string) => (value ? [`${label} ${value}`] : [])
    const countryOf = (code: string) => (code ? [country.of(code) ?? code] : [])
    const left = [buyer.name, ...buyer.address.split('\n'), ...countryOf(buyer.countryCode), ...named(vatNumber, buyer.vatNumber)]
    const ours = [seller.name, seller.street, `${seller.postcode} ${seller.city}`, ...countryOf(seller.countryCode)]
    const right = [...ours, ...named(vatNumber, seller.vatNumber), ...named(taxNumber, seller.taxNumber), seller.email, seller.phone]
    const top = this.#y
    const half = WIDTH / 2 - 12
    const column = (title: string, rows: string[], x: number) => {
      this.#y = top
      this.#text('H2', title, { size: 9, color: MUTED, x, width: half })
      this.#y += 2
      this.#text('P', rows.filter(Boolean).join('\n'), { size: 10, x, width: half })
      return this.#y
    }
    this.#y = Math.max(column(to, left, MARGIN), column(from, right, MARGIN + WIDTH / 2 + 12)) + 18
  }

  #facts(): void {
    const { issuedOn, suppliedOn, suppliedUntil, dueOn, order, purchaseOrder, buyer, corrects, reason, kind, gross } = this.#invoice
    const words = this.#words
    const facts: [string, string][] = [
      [words.issuedOn, this.#day(issuedOn)],
      suppliedUntil ? [words.period, `${this.#day(suppliedOn)} – ${this.#day(suppliedUntil)}`] : [words.suppliedOn, this.#day(suppliedOn)],
      [words.dueOn, dueOn ? this.#day(dueOn) : ''],
      [words.order, order],
      [words.customer, buyer.reference],
      [words.purchaseOrder, purchaseOrder],
      [words.buyerReference, buyer.buyerReference],
      [
        kind === 'credit_note' && gross < 0 ? words.reverses : words.corrects,
        corrects ? `${corrects.number}, ${this.#day(corrects.issuedOn)}` : '',
      ],
      [words.reason, reason],
    ]
    const widths = [110, WIDTH - 110] as const
    this.#table(
      facts
        .filter(([, value]) => value !== '')
        .map(([label, value]) => [
          { text: label, width: widths[0] },
          { text: value, width: widths[1] },
        ]),
      { headsFirst: true },
    )
    this.#y += 16
  }

  #lines(): void {
    const { lines, prepaid } = this.#invoice
    const words = this.#words
    const widths = [WIDTH - 250, 55, 95, 100] as const
    const row = (texts: readonly [string, string, string, string]): Cell[] =>
      texts.map((text, at) => ({ text, width: widths[at] ?? 0, isRight: at > 0 }))
    this.#table(
      [
        row([words.description, words.quantity, words.unit, words.amount]),
        ...lines.map(({ title, detail, quantity, unitAmount, discount, net, isAllowance }) => {
          if (isAllowance) return row([[words.discount, detail].filter(Boolean).join(', '), '', '', this.#money(net)])
          const deposit = prepaid.find((one) => title === prepaymentTitle(one))
          const named = deposit ? `${words.titles.prepayment} ${deposit.number}, ${this.#day(deposit.issuedOn)}` : title
          const less = discount ? `${words.discount}: ${this.#money(discount)}` : ''
          return row([[named, detail, less].filter(Boolean).join('\n'), this.#count(quantity), this.#money(unitAmount), this.#money(net)])
        }),
      ],
      { hasHead: true },
    )
    this.#y += 14
  }

  #taxes(): void {
    const words = this.#words
    const { taxParts, prepaid } = this.#invoice
    const widths = [WIDTH - 330, 110, 110, 110] as const
    const row = (...texts: string[]): Cell[] => texts.map((text, at) => ({ text, width: widths[at] ?? 0, isRight: at > 0 }))
    const percent = (rate: number) =>
      new Intl.NumberFormat(words.locale, { style: 'percent', maximumFractionDigits: 3 }).format(rate / 10_000)
    this.#table(
      [
        row(words.rate, words.net, words.tax, words.gross),
        ...taxParts.map(({ category, rate, net, tax }) =>
          row(category === 'S' || category === 'Z' ? percent(rate) : '–', this.#money(net), this.#money(tax), this.#money(net + tax)),
        ),
      ],
      { hasHead: true },
    )
    for (const reason of new Set(taxParts.flatMap((part) => [part.reason, part.jurisdiction ?? '']).filter(Boolean))) {
      this.#y += 6
      this.#text('P', words.reasons[reason] ?? reason, { size: 9, color: MUTED })
    }
    if (prepaid.length > 0) {
      this.#y += 12
      this.#text('H2', words.prepaid, { size: 9, color: MUTED })
      this.#table(
        [
          row(words.number, words.net, words.tax, words.gross),
          ...prepaid.map(({ number, issuedOn, net, tax, gross }) =>
            row(`${number}, ${this.#day(issuedOn)}`, this.#money(net), this.#money(tax), this.#money(gross)),
          ),
        ],
        { hasHead: true },
      )
    }
    this.#y += 14
  }

  #sums(): void {
    const { kind, net, tax, gross, isPaid } = this.#invoice
    const words = this.#words
    const last = kind === 'credit_note' ? words.credit : isPaid ? words.total : words.payable
    const row = (label: string, amount: number): Cell[] => [
      { text: label, width: WIDTH - 120, isRight: true },
      { text: this.#money(amount), width: 120, isRight: true },
    ]
    this.#table([row(words.net, net), row(words.tax, tax)], { headsFirst: true })
    this.#table([row(last, gross)], { headsFirst: true, isBold: true })
    this.#y += 16
  }

  #notes(): void {
    const { kind, isPaid, gross, seller, exchange, number } = this.#invoice
    const words = this.#words
    if (exchange) {
      const { currency, rate, on, tax } = exchange
      this.#text('P', `${words.exchange} ${this.#day(on)} (${this.#number(Number(rate), 6)}): ${this.#money(tax, currency)}`, {
        size: 9,
        color: MUTED,
      })
      this.#y += 6
    }
    if (kind === 'credit_note') return
    if (isPaid) return this.#text('P', words.paid, { size: 10 })
    if (gross <= 0 || !seller.iban) return
    this.#text('P', words.pay, { size: 10 })
    const iban = seller.iban.replaceAll(/(.{4})(?=.)/g, '$1 ')
    this.#text('P', `${words.account}: ${seller.name}, IBAN ${iban}${seller.bic && `, BIC ${seller.bic}`}, ${number}`, { size: 10 })
    this.#code()
  }

  /** Banking apps fill in the transfer from it. A test has none, because somebody would pay it. */
  #code(): void {
    const { gross: amount, seller, currency, number: reference, isTest } = this.#invoice
    const { name, iban, bic } = seller
    const modules = isTest ? undefined : epcCode({ name, iban, bic, amount, currency, reference })
    if (!modules) return
    this.#y += 6
    this.#room(CODE)
    const [unit, top] = [CODE / modules.length, this.#y]
    const squares = modules.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [{ x, y }] : [])))
    this.#root.add(
      this.#pdf.struct('Figure', { alt: this.#words.code }, () => {
        for (const { x, y } of squares) this.#pdf.rect(MARGIN + x * unit, top + y * unit, unit, unit)
        this.#pdf.fill('#000000')
      }),
    )
    this.#y += CODE
  }

  /** At the bottom of each page: whose invoice it is, and which page. */
  #feet(): void {
    const { seller, number } = this.#invoice
    const { start, count } = this.#pdf.bufferedPageRange()
    const parts = [seller.name, `${seller.street}, ${seller.postcode} ${seller.city}`, seller.vatNumber || seller.taxNumber, seller.email]
    for (let at = start; at < start + count; at += 1) {
      this.#pdf.switchToPage(at)
      this.#pdf.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] })
      const fine = { font: 'regular', size: 8, color: MUTED }
      this.#letters.draw(parts.filter(Boolean).join(' · '), MARGIN, 786, { ...fine, width: WIDTH - 110 })
      const page = `${number} · ${this.#words.page} ${at - start + 1}/${count}`
      this.#letters.draw(page, MARGIN + WIDTH - 110, 786, { ...fine, width: 110, isRight: true })
      this.#pdf.endMarkedContent()
    }
  }

  #table(rows: Cell[][], { hasHead = false, headsFirst = false, isBold = false }): void {
    const table = this.#pdf.struct('Table')
    this.#root.add(table)
    for (const [at, cells] of rows.entries()) this.#row(table, cells, { isHead: hasHead && at === 0, headsFirst, isBold })
    table.end()
  }

  #row(
    table: PDFKit.PDFStructureElement,
    cells: Cell[],
    { isHead, headsFirst, isBold }: { isHead: boolean; headsFirst: boolean; isBold: boolean },
  ): void {
    const size = isHead ? 9 : 10
    const font = isHead || isBold ? 'bold' : 'regular'
    const look = { font, size, color: INK }
    const height = Math.max(...cells.map(({ text, width }) => this.#letters.heightOf(text || ' ', { ...look, width: width - 8 })))
    this.#room(height + 7)
    const row = this.#pdf.struct('TR')
    table.add(row)
    let x = MARGIN
    for (const [at, { text, width, isRight = false }] of cells.entries()) {
      const isName = isHead || (headsFirst && at === 0)
      const left = x
      const color = isHead || (isName && !isBold) ? MUTED : INK
      row.add(
        this.#pdf.struct(isName ? 'TH' : 'TD', isName ? { scope: isHead ? 'Column' : 'Row' } : {}, () => {
          this.#letters.draw(text, left, this.#y, { ...look, color, width: width - 8, isRight })
        }),
      )
      x += width
    }
    row.end()
    this.#y += height + 7
    if (!isHead && headsFirst) return
    this.#pdf.markContent('Artifact', { type: 'Layout' })
    this.#pdf
      .moveTo(MARGIN, this.#y - 4)
      .lineTo(MARGIN + WIDTH, this.#y - 4)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke()
    this.#pdf.endMarkedContent()
  }

  #text(
    tag: string,
    text: string,
    {
      size,
      isBold = false,
      color = INK,
      x = MARGIN,
      width = WIDTH,
    }: { size: number; isBold?: boolean; color?: string; x?: number; width?: number },
  ): void {
    const look = { font: isBold ? 'bold' : 'regular', size, color, width }
    const height = this.#letters.heightOf(text, look)
    this.#room(height)
    this.#root.add(this.#pdf.struct(tag, {}, () => this.#letters.draw(text, x, this.#y, look)))
    this.#y += height
  }

  /** Goes on at the top of another page where there is no room left on this one. */
  #room(height: number): void {
    if (this.#y + height <= BOTTOM) return
    this.#pdf.addPage()
    this.#y = MARGIN
  }

  #money(amount: number, currency = this.#invoice.currency): string {
    const digits = minorDigits(currency)
    return new Intl.NumberFormat(this.#words.locale, { style: 'currency', currency, minimumFractionDigits: digits }).format(
      Number(decimalText(amount, currency)),
    )
  }

  #number(value: number, maximumFractionDigits = 3): string {
    return new Intl.NumberFormat(this.#words.locale, { maximumFractionDigits }).format(value)
  }

  #count(thousandths: number): string {
    return this.#number(thousandths / 1000)
  }

  #day(day: string): string {
    return Temporal.PlainDate.from(day).toLocaleString(this.#words.locale, { dateStyle: 'long' })
  }
}
