import { useRevalidator } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { changeName } from '#app/account/session/own-auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { Route } from './+types/profile.page.ts'
import { findAccount } from './account.server.ts'
import { AccountState } from './account-state.tsx'
import { EmailSection } from './email-section.tsx'
import { accountHead } from './page-title.ts'
import { PictureSection } from './picture-section.tsx'
import { ACCOUNT, type OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'

const name = (sentence: string) => z.string(sentence).check(z.trim(), z.minLength(1, sentence), ...atMost(100, 'This is too long'))

const nameForm = z.object({ firstName: name('First name is required'), lastName: name('Last name is required') })

export const handle = { access: 'workspace.enter' } satisfies Handle

export async function loader({ context }: Route.LoaderArgs) {
  const account = await findAccount(viewerOf(context).viewer, requestContextOf(context)).catch(orLater)
  // A time is shown in the reader's zone, which only the browser knows.
  return { first: account?.newEmail ? undefined : account }
}

/** The sign-in service may be away: the page then loads the account itself, and offers to try again. */
function orLater(error: unknown): undefined {
  if (!(error instanceof Stop)) throw error
}

export const meta = () => accountHead('Profile')

export default function ProfilePage({ loaderData: { first } }: Route.ComponentProps) {
  return (
    <AccountState first={first}>
      {(account) => (
        <>
          <PictureSection account={account} />
          <NameSection account={account} />
          <EmailSection account={account} />
        </>
      )}
    </AccountState>
  )
}

/** The person's name in the app and in emails. */
function NameSection({ account: { firstName, lastName } }: { account: OwnAccount }) {
  const { revalidate } = useRevalidator()
  const form = useForm({
    schema: nameForm,
    send: async ({ firstName, lastName }) => orThrow(changeName({ first_name: firstName, last_name: lastName })),
    done: 'Name saved',
    failed: 'Name not saved',
    touches: [ACCOUNT],
    onDone: revalidate,
  })
  return (
    <AccountSection id="name" title="Name" intro="The name we use in the app and in emails.">
      <Form form={form} className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="First Name" name="firstName">
            <Input key={firstName} autoComplete="given-name" defaultValue={firstName} />
          </Field>
          <Field label="Last Name" name="lastName">
            <Input key={lastName} autoComplete="family-name" defaultValue={lastName} />
          </Field>
        </div>
        <SubmitButton needsScript className="justify-self-start">
          Save name
        </SubmitButton>
      </Form>
    </AccountSection>
  )
}
