import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefreshLeads } from '#app/leads/lead/use-lead-actions.tsx'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { addToLead, type LeadEmail, leadOfEmail } from './unknown-email.ts'

type AddToLeadDialogProps = { url: string; suggestions: LeadEmail['suggestions']; close: () => void }

/** Adds an email to a lead: one of the sender's, or any by its reference. */
export function AddToLeadDialog({ url, suggestions, close }: AddToLeadDialogProps) {
  const refresh = useRefreshLeads()
  const [error, setError] = useState<string>()
  const add = useMutation({
    mutationFn: async (reference: string) => leadOfEmail.parse(await (await apiRequest('PUT', url, { reference })).json()),
    async onSuccess({ reference }) {
      close()
      toast({ title: `Added to ${reference}`, button: undoButton({ send: async () => apiRequest('DELETE', url), renew: refresh }) })
      await refresh()
    },
    async onError(failure) {
      if (failure instanceof ApiError && failure.status === 422) return setError(failure.detail)
      close()
      showFailure('Email not added', failure)
      await refresh()
    },
  })
  const submit = ({ reference = '' }: Record<string, string>) => {
    const read = addToLead.safeParse({ reference })
    setError(read.error?.issues[0]?.message)
    if (read.success) add.mutate(read.data.reference)
  }
  return (
    <FormDialog onClose={close} title="Add to a lead" submit={add.isPending ? 'Adding...' : 'Add'} busy={add.isPending} onSubmit={submit}>
      <Field
        label="Reference of the lead"
        name="reference"
        error={error}
        hint={suggestions.length > 0 ? 'Leads of this sender are suggested.' : 'It is on the page of the lead, such as W-7K3M9Q.'}
      >
        <Input list="lead-suggestions" defaultValue={suggestions[0]?.reference} autoComplete="off" most={60} />
      </Field>
      <datalist id="lead-suggestions">
        {suggestions.map(({ reference, name, problem }) => (
          <option key={reference} value={reference}>
            {`${name}: ${problem}`}
          </option>
        ))}
      </datalist>
    </FormDialog>
  )
}
