import type { Row } from '#db/tables.ts'

type Confirmation = Pick<Row<'users'>, 'emailConfirmedAt' | 'emailAssumed' | 'phoneConfirmedAt' | 'phoneAssumed'>

/** Whether someone has shown that an address or a number of the account is theirs. Auto-confirm shows nothing. */
export function isProven(user: Confirmation): boolean {
  return isEmailProven(user) || isPhoneProven(user)
}

export function isEmailProven({ emailConfirmedAt, emailAssumed }: Pick<Confirmation, 'emailConfirmedAt' | 'emailAssumed'>): boolean {
  return emailConfirmedAt !== null && !emailAssumed
}

export function isPhoneProven({ phoneConfirmedAt, phoneAssumed }: Pick<Confirmation, 'phoneConfirmedAt' | 'phoneAssumed'>): boolean {
  return phoneConfirmedAt !== null && !phoneAssumed
}
