import type { InvoiceDocument, InvoiceKind } from './document.ts'
import { reasons } from '#app/billing/tax/tax.ts'
import { decimalText } from '#app/platform/text/money.ts'

type Words = {
  locale: string
  titles: Record<InvoiceKind | 'reversal', string>
  number: string
  issuedOn: string
  suppliedOn: string
  period: string
  dueOn: string
  paid: string
  order: string
  purchaseOrder: string
  buyerReference: string
  vatNumber: string
  taxNumber: string
  customer: string
  from: string
  to: string
  corrects: string
  /** In place of it, where a credit note is taken back. */
  reverses: string
  reason: string
  description: string
  quantity: string
  unit: string
  amount: string
  discount: string
  rate: string
  net: string
  tax: string
  gross: string
  total: string
  credit: string
  payable: string
  prepaid: string
  pay: string
  account: string
  /** In place of a picture, for screen readers. */
  code: string
  exchange: string
  page: string
  test: string
  reasons: Readonly<Record<string, string>>
}

const english: Words = {
  locale: 'en',
  titles: {
    invoice: 'Invoice',
    prepayment: 'Prepayment invoice',
    credit_note: 'Credit note',
    corrected: 'Corrected invoice',
    reversal: 'Reversed credit note',
  },
  number: 'Number',
  issuedOn: 'Date',
  suppliedOn: 'Date of supply',
  period: 'Period of supply',
  dueOn: 'Payable until',
  paid: 'Paid. There is nothing left to pay.',
  order: 'Order',
  purchaseOrder: 'Purchase order',
  buyerReference: 'Your reference',
  vatNumber: 'VAT number',
  taxNumber: 'Tax number',
  customer: 'Customer',
  from: 'Seller',
  to: 'Buyer',
  corrects: 'About invoice',
  reverses: 'About credit note',
  reason: 'Reason',
  description: 'Description',
  quantity: 'Quantity',
  unit: 'Unit price',
  amount: 'Amount',
  discount: 'Discount',
  rate: 'Tax rate',
  net: 'Net',
  tax: 'Tax',
  gross: 'Gross',
  total: 'Total',
  credit: 'Credited amount',
  payable: 'Amount due',
  prepaid: 'Prepayments that are taken off',
  pay: 'Please transfer the amount with the number of the invoice as its reference.',
  account: 'Bank account',
  code: 'Code for banking apps with the details of this transfer',
  exchange: 'Tax in the currency of the seller, at the exchange rate of',
  page: 'Page',
  test: 'A test. Nothing was sold, and nothing is owed.',
  reasons: {},
}

const german: Words = {
  locale: 'de',
  titles: {
    invoice: 'Rechnung',
    prepayment: 'Anzahlungsrechnung',
    credit_note: 'Rechnungskorrektur',
    corrected: 'Korrigierte Rechnung',
    reversal: 'Storno einer Rechnungskorrektur',
  },
  number: 'Nummer',
  issuedOn: 'Datum',
  suppliedOn: 'Leistungsdatum',
  period: 'Leistungszeitraum',
  dueOn: 'Zahlbar bis',
  paid: 'Bezahlt. Es ist nichts mehr offen.',
  order: 'Bestellung',
  purchaseOrder: 'Ihre Bestellnummer',
  buyerReference: 'Ihr Zeichen',
  vatNumber: 'USt-IdNr.',
  taxNumber: 'Steuernummer',
  customer: 'Kunde',
  from: 'Verkäufer',
  to: 'Käufer',
  corrects: 'Zu Rechnung',
  reverses: 'Zu Rechnungskorrektur',
  reason: 'Grund',
  description: 'Beschreibung',
  quantity: 'Menge',
  unit: 'Einzelpreis',
  amount: 'Betrag',
  discount: 'Rabatt',
  rate: 'Steuersatz',
  net: 'Netto',
  tax: 'Steuer',
  gross: 'Brutto',
  total: 'Gesamtbetrag',
  credit: 'Gutgeschriebener Betrag',
  payable: 'Zu zahlen',
  prepaid: 'Abgezogene Anzahlungen',
  pay: 'Bitte überweisen Sie den Betrag mit der Rechnungsnummer als Verwendungszweck.',
  account: 'Bankverbindung',
  code: 'Code für Banking-Apps mit den Angaben dieser Überweisung',
  exchange: 'Steuer in der Währung des Verkäufers, zum Wechselkurs vom',
  page: 'Seite',
  test: 'Ein Test. Es wurde nichts verkauft, und nichts ist zu zahlen.',
  reasons: {
    [reasons.reverseCharge]: 'Steuerschuldnerschaft des Leistungsempfängers (Artikel 196 der Richtlinie 2006/112/EG).',
    [reasons.outOfScope]: 'Nicht steuerbar: Der Ort der Leistung liegt außerhalb der Europäischen Union.',
    [reasons.abroad]: 'Nicht steuerbar: Der Ort der Leistung ist das Land des Empfängers.',
  },
}

/** The words of an invoice in a language; English where there is no translation. */
export function invoiceWords(language: string): Words {
  return language === 'de' ? german : english
}

/** The title of a document in its language. */
export function titleOf({ language, kind, gross }: Pick<InvoiceDocument, 'language' | 'kind' | 'gross'>): string {
  return invoiceWords(language).titles[kind === 'credit_note' && gross < 0 ? 'reversal' : kind]
}

/** An amount in the smallest unit of its currency, as the language writes it. */
export function amountText(language: string, amount: number, currency: string): string {
  const { locale } = invoiceWords(language)
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(decimalText(amount, currency)))
}

/** A day such as `2026-12-31`, as the language writes it. */
export function dayText(language: string, day: string): string {
  return Temporal.PlainDate.from(day).toLocaleString(invoiceWords(language).locale, { dateStyle: 'long' })
}
