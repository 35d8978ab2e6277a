import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { addToLead, type LeadEmail, leadOfEmail } from './unknown-email.ts'

type AddToLeadDialogProps = { url: string; suggestions: LeadEmail['suggestions']; close: () => void }

/** Adds an email to a lead: one of the sender's, or any by its reference. */
export function AddToLeadDialog({ url, suggestions, close }: AddToLeadDialogProps) {
  const form = useForm({
    schema: addToLead,
    send: async (body) => leadOfEmail.parse(await (await apiRequest('PUT', url, body)).json()),
    explain: ({ status, detail }) => (status === 422 ? { reference: detail } : undefined),
    done: ({ reference }) => `Added to ${reference}`,
    undo: () => async () => apiRequest('DELETE', url),
    failed: 'Email not added',
    touches: leadData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Add to a lead" submit="Add" pending="Adding...">
      <Field
        label="Reference of the lead"
        name="reference"
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
