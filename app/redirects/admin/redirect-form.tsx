import type { Redirect, RedirectBody } from '#app/redirects/rules/redirect.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { RedirectFormFields } from './form-fields.tsx'
import { ProblemList } from './problem-list.tsx'
import { useRedirectForm } from './use-redirect-form.tsx'

type RedirectFormProps = {
  /** The redirect to edit; without one, the form creates a redirect. */
  redirect?: Redirect
  begin?: Partial<RedirectBody>
  close: () => void
}

/** The dialog that creates or edits a redirect. */
export function RedirectForm({ redirect, begin, close }: RedirectFormProps) {
  const form = useRedirectForm({ redirect, begin, close })
  const [idle, pending] = redirect ? ['Update', 'Updating...'] : ['Create', 'Creating...']
  const isDoubtful = form.asked && form.problems.length > 0
  return (
    <FormDialog
      form={form}
      side
      onClose={close}
      title={redirect ? 'Edit Redirect' : 'Create New Redirect'}
      submit={isDoubtful ? `${idle} anyway` : idle}
      pending={pending}
      look={isDoubtful ? 'danger' : 'primary'}
    >
      <RedirectFormFields form={form}>
        <div role="status">
          <ProblemList problems={form.problems} shorten={(toPath) => form.change({ toPath })} ownId={redirect?.id} />
        </div>
      </RedirectFormFields>
    </FormDialog>
  )
}
