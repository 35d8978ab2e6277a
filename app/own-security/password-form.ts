import { z } from 'zod/mini'
import { matching, newPasswordForm } from '#app/login/credentials.ts'

/** What the service may want beside the new password: the one of now, the code of a letter, or both. */
export type Proof = 'current' | 'code'

const wanted = (isWanted: boolean, sentence: string) =>
  z.optional(z.string()).check(z.refine((text = '') => !isWanted || text.trim() !== '', sentence))

/** The form with what has been asked for so far. */
export function passwordForm(proofs: readonly Proof[]) {
  return z
    .object({
      ...newPasswordForm.shape,
      currentPassword: wanted(proofs.includes('current'), 'Type your current password'),
      nonce: wanted(proofs.includes('code'), 'Type the code from the email'),
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
    current_password_required: 'currentPassword',
    current_password_invalid: 'currentPassword',
    current_password_mismatch: 'currentPassword',
    reauthentication_needed: 'nonce',
    reauthentication_not_valid: 'nonce',
  }
  return fields[code ?? '']
}

const words: Record<string, string> = {
  current_password_required: 'Type your current password as well.',
  reauthentication_needed: 'Type the code that we have sent to your address.',
  reauthentication_not_valid: 'This is not the code of the newest email, or it is too old. You can have another one.',
}

/** What it says to someone at the form. */
export function wordsOfRefusal({ code, message }: { code: string | undefined; message: string }): string {
  return words[code ?? ''] ?? message
}
