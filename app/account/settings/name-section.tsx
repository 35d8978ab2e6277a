import { useRevalidator } from 'react-router'
import { changeName } from '#app/account/session/own-auth.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import type { OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { useRefreshAccount } from './account-state.tsx'
import { nameForm } from './name-form.ts'
import { useForm } from './use-form.tsx'

/** The person's name in the app and in emails. */
export function NameSection({ account: { firstName, lastName } }: { account: OwnAccount }) {
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
        <Button busy={busy} className="justify-self-start">
          {busy ? 'Saving...' : 'Save name'}
        </Button>
      </form>
    </AccountSection>
  )
}
