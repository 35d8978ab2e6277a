import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { emailAddress, newEmailAddress } from '#app/auth/protocol/email-address.ts'
import { MOST_CHARACTERS, passwordLength, TOO_LONG } from '#app/auth/sessions/password-length.ts'

const LEAST = 6
const INVALID_EMAIL = 'Please enter a valid email address'
export const email = emailAddress(INVALID_EMAIL)
const TOO_SHORT = 'Password must be at least 6 characters'
/** Older passwords that are shorter still sign in. */
const password = z.string(TOO_SHORT).check(z.minLength(LEAST, TOO_SHORT))
const newPassword = z.string(TOO_SHORT).check(
  z.refine((text) => passwordLength(text) >= LEAST, TOO_SHORT),
  z.refine((text) => passwordLength(text) <= MOST_CHARACTERS, TOO_LONG),
)
/** The rule of both fields of a new password. */
export const passwordsMatch = z.refine<{ password: string; confirmPassword: string }>((value) => value.password === value.confirmPassword, {
  error: "Passwords don't match",
  path: ['confirmPassword'],
})

const nameRule = [...atMost(100, 'This is too long'), z.regex(/^\P{Cc}*$/u, 'This cannot have line breaks')] as const

export const signInForm = z.object({ email, password })

export const signUpForm = z
  .object({
    firstName: name('First name is required'),
    lastName: name('Last name is required'),
    email: newEmailAddress(INVALID_EMAIL),
    password: newPassword,
    confirmPassword: z.string(),
  })
  .check(passwordsMatch)

export const forgotPasswordForm = z.object({ email })

export const newPasswordForm = z.object({ password: newPassword, confirmPassword: z.string() }).check(passwordsMatch)

const optionalName = z._default(z.string().check(z.trim(), ...nameRule), '')

/** The names are asked for where the account has none that its owner gave. */
export const firstPasswordForm = z
  .object({ firstName: optionalName, lastName: optionalName, ...newPasswordForm.shape })
  .check(passwordsMatch)

type SignUpForm = z.infer<typeof signUpForm>

/** The metadata of a new account. */
export function profileFromFields({ firstName, lastName }: Pick<SignUpForm, 'firstName' | 'lastName'>): {
  first_name: string
  last_name: string
} {
  return { first_name: firstName, last_name: lastName }
}

/** The state of the page after an email was requested: the same whether or not the address has an account. */
export type EmailFormState = { email: string; sent: boolean; error?: string }

export type FieldErrors = Record<string, string>

type Read<T> = { value: T; errors?: never } | { value?: never; errors: FieldErrors }

/** Reads a form, or returns an error for each invalid field. */
export function readFields<T>(schema: z.ZodMiniType<T>, fields: Record<string, unknown>): Read<T> {
  const read = schema.safeParse(fields)
  if (read.success) return { value: read.data }
  const errors: FieldErrors = {}
  for (const { path, message } of read.error.issues) errors[path.join('.')] ??= message
  return { errors }
}

function name(sentence: string) {
  return z.string(sentence).check(z.trim(), z.minLength(1, sentence), ...nameRule)
}
