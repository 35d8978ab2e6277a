import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'
import { env } from '#app/platform/env.server.ts'
import { type FactorKind, nameOfKind } from './factor-kind.ts'

type Added = { at: string; factorType: FactorKind }

/** After the fact, so that nobody gets a second factor on another's account without their knowing. */
export const factorAddedLetter = defineLetter('factor-added', ({ at, factorType }: Added) => ({
  subject: 'Two-step sign-in is on',
  preview: `From now on your account can be opened with ${nameOfKind(factorType)}.`,
  body: (
    <>
      <Heading>Two-step sign-in is on</Heading>
      <Paragraph>
        On {inUtc(at)} {nameOfKind(factorType)} was added to your account as a second step. Whoever was signed in with the password alone
        has been signed out.
      </Paragraph>
      <Paragraph>If this was you, all is well. If it was not, choose a new password now: this address is still yours.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>It was not me</Action>
    </>
  ),
}))
