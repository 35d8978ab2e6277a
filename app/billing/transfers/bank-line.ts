/** A booked line of a bank statement, whatever file it came in. Amounts are in the smallest unit of the currency. */
export type BankLine = {
  /** IBAN or another number of our account. Empty where the file does not name it. */
  account: string
  /** 2026-11-28 */
  bookedOn: string
  /** Negative: it left the account. */
  amount: number
  currency: string
  /** The other side. */
  payer: string
  payerAccount: string
  /** The purpose, references and remarks. */
  text: string
  bankReference: string
  /** A payment that came back. */
  isReturn: boolean
  /** The amount that the payer ordered, if its currency or amount differs. */
  instructed: { amount: number; currency: string } | null
  /** Charges that banks took from it on the way, in the currency of the line. */
  fee: number
  /** Everything that the file says of it, which tells it from other lines. */
  raw: string
}

/** The lines of a file. `skipped` are announced and not booked yet; `problems` cannot be read. */
export type Statement = { lines: BankLine[]; skipped: number; problems: { line: number; reason: string }[] }
