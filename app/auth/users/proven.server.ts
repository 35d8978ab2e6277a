import type { Row } from '#db/tables.ts'

type Confirmation = Pick<Row<'users'>, 'emailConfirmedAt' | 'emailAssumed' | 'phoneConfirmedAt' | 'phoneAssumed'>

/** Whether the user has proven an email address or phone number. Auto-confirm is no proof. */
export function isProven(user: Confirmation): boolean {
  return isEmailProven(user) || isPhoneProven(user)
}

export function isEmailProven({ emailConfirmedAt, emailAssumed }: Pick<Confirmation, 'emailConfirmedAt' | 'emailAssumed'>): boolean {
  return emailConfirmedAt !== null && !emailAssumed
}

export function isPhoneProven({ phoneConfirmedAt, phoneAssumed }: Pick<Confirmation, 'phoneConfirmedAt' | 'phoneAssumed'>): boolean {
  return phoneConfirmedAt !== null && !phoneAssumed
}
