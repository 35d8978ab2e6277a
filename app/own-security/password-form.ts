import { z } from 'zod/mini'
import { matching, newPasswordForm } from '#app/login/credentials.ts'

/** What the service may want beside the new password: the one of now, or the code of a letter. */
export type Proof = 'none' | 'current' | 'code'

const wanted = (isWanted: boolean, sentence: string) =>
  z.optional(z.string()).check(z.refine((text = '') => !isWanted || text.trim() !== '', sentence))

/** The form with what has been asked for so far. */
export function passwordForm(proof: Proof) {
  return z
    .object({
      ...newPasswordForm.shape,
      currentPassword: wanted(proof === 'current', 'Type your current password'),
      nonce: wanted(proof === 'code', 'Type the code from the letter'),
    })
    .check(matching)
}

/** Which proof a refusal asks for. */
export function proofWanted(code: string | undefined): Proof | undefined {
  if (code === 'current_password_required') return 'current'
  return code === 'reauthentication_needed' ? 'code' : undefined
}

/** The field that a refusal is about. */
export function fieldOfRefusal(code: string | undefined): string | undefined {
  const fields: Record<string, string> = {
    weak_password: 'password',
    same_password: 'password',
    current_password_invalid: 'currentPassword',
    current_password_mismatch: 'currentPassword',
    reauthentication_not_valid: 'nonce',
  }
  return fields[code ?? '']
}
