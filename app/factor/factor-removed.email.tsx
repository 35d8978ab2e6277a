import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'
import { env } from '#app/platform/env.server.ts'
import { type FactorKind, nameOfKind } from './factor-kind.ts'

type Removed = { at: string; factorType: FactorKind; isLast: boolean }

/** After the fact, so that nobody loses a second factor without knowing. */
export const factorRemovedLetter = defineLetter('factor-removed', ({ at, factorType, isLast }: Removed) => ({
  subject: isLast ? 'Two-step sign-in is off' : 'A second step was removed',
  preview: isLast ? 'Your password alone opens your account again.' : 'Your other second steps are still asked for.',
  body: (
    <>
      <Heading>{isLast ? 'Two-step sign-in is off' : 'A second step was removed'}</Heading>
      <Paragraph>
        On {inUtc(at)} {nameOfKind(factorType)} was removed from your account.{' '}
        {isLast ? 'Your password alone opens it again; recovery codes are void.' : 'Your other second steps are still asked for.'}
      </Paragraph>
      <Paragraph>If this was you, all is well. If it was not, choose a new password now: this address is still yours.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>It was not me</Action>
    </>
  ),
}))
