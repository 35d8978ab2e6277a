import { useId } from 'react'
import type { Redirect, RedirectBody } from '#app/redirects/rules/redirect.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
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
  const id = useId()
  const form = useRedirectForm({ redirect, begin, close })
  const [idle, busy] = redirect ? ['Update', 'Updating...'] : ['Create', 'Creating...']
  const isDoubtful = form.asked && form.problems.length > 0
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={close}>
        Cancel
      </Button>
      <Button form={id} look={isDoubtful ? 'danger' : 'primary'} busy={form.isSaving}>
        {form.isSaving ? busy : isDoubtful ? `${idle} anyway` : idle}
      </Button>
    </>
  )
  return (
    <Dialog open side onClose={close} title={redirect ? 'Edit Redirect' : 'Create New Redirect'} actions={actions}>
      <form
        method="post"
        id={id}
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit(event.currentTarget)
        }}
      >
        <RedirectFormFields form={form}>
          <div role="status">
            <ProblemList problems={form.problems} shorten={(toPath) => form.change({ toPath })} ownId={redirect?.id} />
          </div>
        </RedirectFormFields>
      </form>
    </Dialog>
  )
}
