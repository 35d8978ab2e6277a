/** A payment as a bank would write it. Amounts are texts of EUR, without a sign. */
export type Line = {
  amount: string
  text: string
  payer?: string
  iban?: string
  isOut?: boolean
  isReturn?: boolean
  /** Charges that were taken from it. */
  fee?: string
  instructed?: { amount: string; currency: string }
  status?: string
  reference?: string
  day?: string
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A statement in CAMT.053, with the parts that banks use. */
export function camtOf(lines: readonly Line[], { version = '02', prefix = '' } = {}): string {
  const tag = (name: string, content: string, attributes = '') => `<${prefix}${name}${attributes}>${content}</${prefix}${name}>`
  const amount = (value: string, currency = 'EUR') => tag('Amt', value, ` Ccy="${currency}"`)
  const entries = lines.map((line, at) => {
    const { text, payer = 'Acme Retail', iban = '', isOut, isReturn, fee, instructed, status = 'BOOK', day = '2026-11-20' } = line
    const party = isOut ? 'Cdtr' : 'Dbtr'
    const details = [
      tag('Refs', tag('EndToEndId', 'NOTPROVIDED')),
      instructed ? tag('AmtDtls', tag('InstdAmt', amount(instructed.amount, instructed.currency))) : '',
      fee ? tag('Chrgs', amount(fee)) : '',
      tag('RltdPties', tag(party, tag('Nm', escaped(payer))) + (iban ? tag(`${party}Acct`, tag('Id', tag('IBAN', iban))) : '')),
      tag('RmtInf', tag('Ustrd', escaped(text))),
      isReturn ? tag('RtrInf', tag('Rsn', tag('Cd', 'AC04'))) : '',
    ]
    return tag(
      'Ntry',
      amount(line.amount) +
        tag('CdtDbtInd', isOut ? 'DBIT' : 'CRDT') +
        tag('Sts', version === '08' ? tag('Cd', status) : status) +
        tag('BookgDt', tag('Dt', day)) +
        tag('AcctSvcrRef', line.reference ?? `R${at}`) +
        tag('NtryDtls', tag('TxDtls', details.join(''))),
    )
  })
  const account = tag('Acct', tag('Id', tag('IBAN', 'DE89370400440532013000')) + tag('Ccy', 'EUR'))
  const statement = tag('Stmt', tag('Id', 'S1') + tag('CreDtTm', '2026-11-21T01:00:00') + account + entries.join(''))
  const namespace = ` xmlns${prefix ? `:${prefix.slice(0, -1)}` : ''}="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"`
  return `<?xml version="1.0" encoding="UTF-8"?>${tag('Document', tag('BkToCstmrStmt', tag('GrpHdr', tag('MsgId', 'M1')) + statement), namespace)}`
}
