import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { newEmailAddress } from '#app/auth/protocol/email-address.ts'

const name = (sentence: string) => z.string(sentence).check(z.trim(), z.minLength(1, sentence), ...atMost(100, 'This is too long'))

export const nameForm = z.object({ firstName: name('First name is required'), lastName: name('Last name is required') })

export const emailForm = z.object({ email: newEmailAddress('Please enter a valid email address') })
