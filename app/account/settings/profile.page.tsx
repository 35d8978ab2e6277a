import { useRevalidator } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { changeName } from '#app/account/session/own-auth.ts'
import { Stop } from '#app/platform/stop.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import type { Route } from './+types/profile.page.ts'
import { findAccount } from './account.server.ts'
import { AccountState, useRefreshAccount } from './account-state.tsx'
import { EmailSection } from './email-section.tsx'
import { accountHead } from './page-title.ts'
import { PictureSection } from './picture-section.tsx'
import type { OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { nameForm } from './name-form.ts'
import { useForm } from './use-form.tsx'

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
  const refresh = useRefreshAccount()
  const { revalidate } = useRevalidator()
  const { errors, busy, form } = useForm({
    schema: nameForm,
    send: (value) => changeName({ first_name: value.firstName, last_name: value.lastName }),
    failed: 'Name not saved',
    async done() {
      toast({ title: 'Name saved' })
      await Promise.all([refresh(), revalidate()])
    },
  })
  return (
    <AccountSection id="name" title="Name" intro="The name we use in the app and in emails.">
      <form {...form} className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="First Name" name="firstName" error={errors['firstName']}>
            <Input key={firstName} autoComplete="given-name" defaultValue={firstName} />
          </Field>
          <Field label="Last Name" name="lastName" error={errors['lastName']}>
            <Input key={lastName} autoComplete="family-name" defaultValue={lastName} />
          </Field>
        </div>
        <Button busy={busy} needsScript className="justify-self-start">
          {busy ? 'Saving...' : 'Save name'}
        </Button>
      </form>
    </AccountSection>
  )
}
