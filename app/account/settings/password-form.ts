import { z } from 'zod/mini'
import { passwordsMatch, newPasswordForm } from '#app/account/sign-in/credentials.ts'

/** The proofs that the service may demand beside the new password: the current one, an emailed code, or both. */
export type PasswordProofField = 'current' | 'code'

const wanted = (isWanted: boolean, sentence: string) =>
  z.optional(z.string()).check(z.refine((text = '') => !isWanted || text.trim() !== '', sentence))

/** The form with the proofs that were demanded so far. */
export function passwordForm(proofs: readonly PasswordProofField[]) {
  return z
    .object({
      ...newPasswordForm.shape,
      currentPassword: wanted(proofs.includes('current'), 'Enter your current password'),
      nonce: wanted(proofs.includes('code'), 'Enter the code from the email'),
    })
    .check(passwordsMatch)
}

/** The proof that a refusal demands. */
export function proofWanted(code: string | undefined): PasswordProofField | undefined {
  if (code === 'current_password_required') return 'current'
  return code === 'reauthentication_needed' ? 'code' : undefined
}

/** The field of a refusal. */
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
  current_password_required: 'Enter your current password too.',
  reauthentication_needed: 'Enter the code we sent to your address.',
  reauthentication_not_valid: 'This isn’t the code from the latest email, or it expired. Request another one.',
}

/** The text for a refused password. */
export function wordsOfRefusal({ code, message }: { code: string | undefined; message: string }): string {
  return words[code ?? ''] ?? message
}
