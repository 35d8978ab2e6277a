/** The meanings of a column of a bank's CSV file. */
export const statementFields = {
  bookedOn: 'Date',
  amount: 'Amount',
  credit: 'Money in',
  debit: 'Money out',
  direction: 'Debit or credit',
  currency: 'Currency',
  payer: 'Name of the other side',
  payerAccount: 'Account of the other side',
  text: 'Purpose',
  bankReference: 'Reference of the bank',
  account: 'Our account',
} as const

export type StatementField = keyof typeof statementFields

const isField = (name: string): name is StatementField => name in statementFields
export const statementFieldNames = Object.keys(statementFields).filter(isField)

/** The heads of banks, in lower case without accents, spaces and signs, the best first. */
const heads: Record<StatementField, string> = {
  bookedOn: `buchungstag buchungsdatum buchung bookingdate date datum transactiondate completeddate datecompletedutc dateop
    datedecomptabilisation dateoperation fecha fechaoperacion data dataoperazione valutadatum valuta createdon
    finishedon bokforingsdag bokford dato datacontabile postingdate`,
  amount: `betrag betrageur amount amounteur umsatz montant importe importo bedrag bedrageur belopp belob
    sourceamountafterfees transactionamount betragineur umsatzineur`,
  credit: `haben gutschrift gutschriftinchf credit moneyin paidin depositamount abono entrate avere bij
    creditamount insattningar`,
  debit: `soll lastschrift lastschriftinchf belastung debit moneyout paidout withdrawalamount cargo uscite dare
    debitamount uttag`,
  direction: `sollhaben shkennzeichen kennzeichen debitcredit creditdebit afbij sens direction drcr creditdebitindicator dc segno`,
  currency: `wahrung waehrung currency devise divisa moneda valutacode munt valuta paymentcurrency`,
  payer: `beguenstigterzahlungspflichtiger begunstigterzahlungspflichtiger auftraggeberbegunstigter namezahlungsbeteiligter
    payee auftraggeber zahlungspflichtiger zahlungspflichtige name partnername counterparty counterpartyname payer
    payername nameofpayer empfangerzahlungspflichtiger naamtegenpartij naamomschrijving beneficiaire tiers ordenante
    sender auftraggeberempfanger senderempfanger`,
  payerAccount: `kontonummeriban ibanzahlungsbeteiligter kontonummer partneriban iban accountnumber counterpartyaccount
    tegenrekening tegenrekeningibanbban gegenkonto beneficiaryaccountnumber ibandelempfanger partneraccount
    ibankontonr ibankontonummer`,
  text: `verwendungszweck purpose description beschreibung buchungstext reference paymentreference details memo libelle
    libellesimplifie informationscomplementaires concepto descrizione causale omschrijving mededelingen omschrijving1
    omschrijving2 kundenreferenz kundenreferenzendtoend avisierungstext transactiondetails meddelande
    vorgangverwendungszweck transactiondescription omschrijving3 beschreibung1 beschreibung2 beschreibung3`,
  bankReference: `transactionid id bankreferenz bankreference volgnr transactionreference transferwiseid`,
  account: `auftragskonto ibanauftragskonto rekening ibanbban ownaccount konto kontoiban`,
}

const plain = (head: string) =>
  head
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')

/** The field of each column by its head. Only the purpose can have several columns. */
export function matchStatementColumns(given: readonly string[]): (StatementField | null)[] {
  const names = given.map(plain)
  const columns: (StatementField | null)[] = given.map(() => null)
  for (const field of statementFieldNames) {
    const known = heads[field].split(/\s+/)
    const fitting = names.flatMap((name, at) => (columns[at] === null && known.includes(name) ? { at, rank: known.indexOf(name) } : []))
    const best = fitting.toSorted((one, other) => one.rank - other.rank).slice(0, field === 'text' ? fitting.length : 1)
    for (const { at } of best) columns[at] = field
  }
  return columns
}

/** Why the columns are not enough. */
export function missingColumns(columns: readonly (StatementField | null)[]): string | undefined {
  if (!columns.includes('bookedOn')) return 'Choose the column with the date.'
  return columns.includes('amount') || columns.includes('credit') ? undefined : 'Choose the column with the amount.'
}

/** The words and abbreviations of banks for a direction, written like the heads. */
const directions = {
  in: 'h haben c cr crdt credit kredit haber a avere accredito entrata bij in gutschrift abono credito',
  out: 's soll d dr db dbit debit debet debe dare addebito uscita af out belastung lastschrift cargo debito',
}

/** Whether a word means money in or out. Undefined for other words. */
export function directionOf(text: string): 'in' | 'out' | undefined {
  const word = text === '+' ? 'in' : text === '-' ? 'out' : plain(text)
  return (['in', 'out'] as const).find((direction) => directions[direction].split(' ').includes(word))
}
