import { type Invoice, InvoiceService } from '@e-invoice-eu/core'
import { decimalText } from '#app/platform/text/money.ts'
import { type InvoiceDocument, typeCodes } from './document.ts'
import { invoiceWords } from './words.ts'

/** The names that the library has for the formats. The XML of Factur-X is embedded by us. */
const formats = { 'factur-x': 'CII', xrechnung: 'XRECHNUNG-UBL', peppol: 'UBL' } as const

const PEPPOL = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'

/** Codes for the absence of tax. */
const exemptionCodes: Readonly<Record<string, string>> = { AE: 'VATEX-EU-AE', O: 'VATEX-EU-O' }

/** Codes of UNTDID 4461. */
const means = { sepa: '58', transfer: '30', online: '68' } as const

/** The XML of an invoice by EN 16931. Takes about a second of a processor. Throws where the library refuses it. */
export async function invoiceXml(invoice: InvoiceDocument): Promise<string> {
  if (invoice.format === '') throw new Error('This invoice has no format for programs.')
  const told = { 'ubl:Invoice': toUbl(invoice) }
  if (!isInvoice(told)) throw new Error('This is no invoice.')
  const service = new InvoiceService({ log: quiet, warn: quiet, error: quiet })
  const made = await service.generate(told, { format: formats[invoice.format], lang: invoice.language, noWarnings: true })
  const xml = typeof made === 'string' ? made : Buffer.from(made).toString()
  // The library asks for a currency of each discount, and the rules of CII refuse it (CII-DT-031).
  return xml.replaceAll(/<ram:ActualAmount currencyID="[A-Z]{3}">/g, '<ram:ActualAmount>')
}

function quiet(): void {
  // Its errors are thrown as well.
}

/** The library checks it against its own schema, which its types are made from. */
function isInvoice(value: object): value is Invoice {
  return 'ubl:Invoice' in value
}

function toUbl(invoice: InvoiceDocument): object {
  const { number, kind, issuedOn, dueOn, currency, format, order, purchaseOrder, buyer, corrects, prepaid, exchange, isPaid } = invoice
  const words = invoiceWords(invoice.language)
  const allowances = invoice.lines.filter(({ isAllowance }) => isAllowance)
  const lines = invoice.lines.filter(({ isAllowance }) => !isAllowance)
  const isStrict = format !== 'factur-x'
  const period = invoice.suppliedUntil && { 'cbc:StartDate': invoice.suppliedOn, 'cbc:EndDate': invoice.suppliedUntil }
  const earlier = [...(corrects ? [corrects] : []), ...prepaid]
  const told = [
    invoice.isTest ? words.test : '',
    invoice.reason,
    exchange ? `${words.exchange} ${exchange.on}: ${exchange.rate}` : '',
  ].filter(Boolean)
  const isOwed = !isPaid && kind !== 'credit_note'
  return present({
    'cbc:CustomizationID': format === 'peppol' ? PEPPOL : undefined,
    'cbc:ID': number,
    'cbc:IssueDate': issuedOn,
    'cbc:DueDate': isOwed ? (dueOn ?? undefined) : undefined,
    'cbc:InvoiceTypeCode': format === 'peppol' && kind === 'corrected' ? '380' : String(typeCodes[kind]),
    'cbc:Note': told.length > 0 ? told : undefined,
    'cbc:DocumentCurrencyCode': currency,
    'cbc:TaxCurrencyCode': exchange?.currency,
    'cbc:BuyerReference': buyer.buyerReference || purchaseOrder || (isStrict ? order : undefined),
    'cac:InvoicePeriod': period || undefined,
    'cac:OrderReference': purchaseOrder ? { 'cbc:ID': purchaseOrder, 'cbc:SalesOrderID': order } : undefined,
    'cac:BillingReference':
      earlier.length > 0
        ? earlier.map((one) => ({ 'cac:InvoiceDocumentReference': { 'cbc:ID': one.number, 'cbc:IssueDate': one.issuedOn } }))
        : undefined,
    'cac:AccountingSupplierParty': { 'cac:Party': sellerParty(invoice) },
    'cac:AccountingCustomerParty': { 'cac:Party': buyerParty(invoice) },
    'cac:Delivery': period ? undefined : { 'cbc:ActualDeliveryDate': invoice.suppliedOn },
    'cac:PaymentMeans': isOwed && invoice.seller.iban ? [transferMeans(invoice)] : [{ 'cbc:PaymentMeansCode': means.online }],
    'cac:PaymentTerms': isOwed && dueOn ? undefined : { 'cbc:Note': kind === 'credit_note' ? `${words.credit}.` : words.paid },
    'cac:AllowanceCharge': allowances.length > 0 ? allowances.map((line) => allowance(invoice, line)) : undefined,
    'cac:TaxTotal': taxTotals(invoice),
    'cac:LegalMonetaryTotal': monetaryTotal(invoice),
    'cac:InvoiceLine': lines.map((line, at) => invoiceLine(invoice, line, at)),
  })
}

/** Without the keys that have nothing. */
function present(of: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined && value !== ''))
}

/** Invoices outside the scope of VAT must not contain VAT numbers (BR-O-02). */
function isOutside({ taxParts }: InvoiceDocument): boolean {
  return taxParts.some(({ category }) => category === 'O')
}

const VAT = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } }

function sellerParty(invoice: InvoiceDocument): object {
  const { name, street, postcode, city, countryCode, email, phone, vatNumber, taxNumber } = invoice.seller
  const schemes = [
    ...(vatNumber && !isOutside(invoice) ? [{ 'cbc:CompanyID': vatNumber, ...VAT }] : []),
    ...(taxNumber ? [{ 'cbc:CompanyID': taxNumber, 'cac:TaxScheme': { 'cbc:ID': 'FC' } }] : []),
  ]
  return present({
    'cbc:EndpointID': email,
    'cbc:EndpointID@schemeID': 'EM',
    'cac:PostalAddress': {
      'cbc:StreetName': street,
      'cbc:CityName': city,
      'cbc:PostalZone': postcode,
      'cac:Country': { 'cbc:IdentificationCode': countryCode },
    },
    'cac:PartyTaxScheme': schemes.length > 0 && !(isOutside(invoice) && invoice.format !== 'factur-x') ? schemes : undefined,
    'cac:PartyLegalEntity': present({
      'cbc:RegistrationName': name,
      'cbc:CompanyID': isOutside(invoice) ? vatNumber || taxNumber || name : undefined,
    }),
    'cac:Contact': present({ 'cbc:Name': name, 'cbc:Telephone': phone, 'cbc:ElectronicMail': email }),
  })
}

function buyerParty(invoice: InvoiceDocument): object {
  const { name, address, countryCode, vatNumber, email, electronicAddress } = invoice.buyer
  const [, scheme, id] = /^([0-9A-Z]{2,4}):(.+)$/.exec(electronicAddress) ?? []
  return present({
    'cbc:EndpointID': id ?? email,
    'cbc:EndpointID@schemeID': id ? scheme : email && 'EM',
    'cac:PostalAddress': { ...postalAddress(address), 'cac:Country': { 'cbc:IdentificationCode': countryCode } },
    'cac:PartyTaxScheme': vatNumber && !isOutside(invoice) ? { 'cbc:CompanyID': vatNumber, ...VAT } : undefined,
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
  })
}

/** The lines of an address, as people enter it, with the code and the city where a line begins with a code. */
function postalAddress(address: string): Record<string, unknown> {
  const lines = address.split('\n').map((line) => line.trim())
  const at = lines.findLastIndex((line) => CITY.test(line))
  const [, zone = '', city = ''] = CITY.exec(lines[at] ?? '') ?? []
  const [street, second, ...others] = lines.filter((line, index) => line !== '' && index !== at)
  return present({
    'cbc:StreetName': street,
    'cbc:AdditionalStreetName': second,
    'cbc:CityName': city,
    'cbc:PostalZone': zone,
    'cac:AddressLine': others.length > 0 ? { 'cbc:Line': others.join(', ') } : undefined,
  })
}

/** `75002 Paris`, `D-10969 Berlin`, `1012 AB Amsterdam`, `110 00 Praha`. */
const CITY =
  /^((?:[A-Z]{1,2}-)?\d{4} [A-Z]{2}|(?:[A-Z]{1,2}-)?\d{3} \d{2}|(?:[A-Z]{1,2}-)?\d{2}-\d{3}|(?:[A-Z]{1,2}-)?\d{4}-\d{3}|(?:[A-Z]{1,2}-)?\d{4,5})\s+(\p{L}.*)$/u

function transferMeans({ seller: { name, iban, bic }, number, currency }: InvoiceDocument): object {
  return {
    'cbc:PaymentMeansCode': currency === 'EUR' ? means.sepa : means.transfer,
    'cbc:PaymentID': number,
    'cac:PayeeFinancialAccount': {
      'cbc:ID': iban,
      'cbc:Name': name,
      ...(bic && { 'cac:FinancialInstitutionBranch': { 'cbc:ID': bic } }),
    },
  }
}

function amount(name: string, value: number, currency: string): Record<string, string> {
  return { [`cbc:${name}`]: decimalText(value, currency), [`cbc:${name}@currencyID`]: currency }
}

function percent(category: string, rate: number): Record<string, string> {
  return category === 'O' ? {} : { 'cbc:Percent': String(rate / 100) }
}

function taxTotals({ taxParts, tax, currency, exchange, language }: InvoiceDocument): object[] {
  const words = invoiceWords(language)
  const subtotals = taxParts.map(({ category, rate, reason, net, tax: part }) => ({
    ...amount('TaxableAmount', net, currency),
    ...amount('TaxAmount', part, currency),
    'cac:TaxCategory': present({
      'cbc:ID': category,
      ...percent(category, rate),
      'cbc:TaxExemptionReasonCode': exemptionCodes[category],
      'cbc:TaxExemptionReason': words.reasons[reason] ?? reason,
      ...VAT,
    }),
  }))
  const total = { ...amount('TaxAmount', tax, currency), 'cac:TaxSubtotal': subtotals }
  return exchange ? [total, amount('TaxAmount', exchange.tax, exchange.currency)] : [total]
}

function monetaryTotal({ lines, net, gross, currency, isPaid, kind }: InvoiceDocument): object {
  const discount = lines.reduce((sum, line) => (line.isAllowance ? sum - line.net : sum), 0)
  const paid = isPaid && kind !== 'credit_note' ? gross : 0
  return {
    ...amount('LineExtensionAmount', net + discount, currency),
    ...amount('TaxExclusiveAmount', net, currency),
    ...amount('TaxInclusiveAmount', gross, currency),
    ...(discount !== 0 && amount('AllowanceTotalAmount', discount, currency)),
    ...(paid !== 0 && amount('PrepaidAmount', paid, currency)),
    ...amount('PayableAmount', gross - paid, currency),
  }
}

/** A discount on the whole, before tax. */
function allowance({ currency, language }: InvoiceDocument, line: InvoiceDocument['lines'][number]): object {
  const { detail, net, taxCategory, taxRate } = line
  return {
    'cbc:ChargeIndicator': 'false',
    'cbc:AllowanceChargeReason': [invoiceWords(language).discount, detail].filter(Boolean).join(', '),
    ...amount('Amount', -net, currency),
    'cac:TaxCategory': { 'cbc:ID': taxCategory, ...percent(taxCategory, taxRate), ...VAT },
  }
}

function invoiceLine({ currency, language }: InvoiceDocument, line: InvoiceDocument['lines'][number], at: number): object {
  const { title, detail, quantity, unitAmount, discount, net, taxCategory, taxRate } = line
  const reduction = {
    'cbc:ChargeIndicator': 'false',
    'cbc:AllowanceChargeReason': invoiceWords(language).discount,
    ...amount('Amount', discount, currency),
  }
  return {
    'cbc:ID': String(at + 1),
    'cbc:InvoicedQuantity': String((unitAmount < 0 ? -quantity : quantity) / 1000),
    'cbc:InvoicedQuantity@unitCode': 'C62',
    ...amount('LineExtensionAmount', net, currency),
    ...(discount !== 0 && { 'cac:AllowanceCharge': [reduction] }),
    'cac:Item': present({
      'cbc:Description': detail,
      'cbc:Name': title,
      'cac:ClassifiedTaxCategory': { 'cbc:ID': taxCategory, ...percent(taxCategory, taxRate), ...VAT },
    }),
    'cac:Price': amount('PriceAmount', Math.abs(unitAmount), currency),
  }
}
