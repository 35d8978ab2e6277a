import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useForm } from './use-form.ts'

const MOST = 60

type SaveViewDialogProps = { taken: readonly string[]; save: (title: string) => void; close: () => void }

/** Asks for the name of a view. */
export function SaveViewDialog({ taken, save, close }: SaveViewDialogProps) {
  const title = z.string().check(
    z.trim(),
    z.minLength(1, 'Give the view a name'),
    ...atMost(MOST, `A name has at most ${MOST} characters`),
    z.refine((given) => !taken.includes(given), 'A view has this name'),
  )
  const form = useForm({ schema: z.object({ title }), send: async (given) => save(given.title), failed: 'Not saved', onDone: close })
  return (
    <FormDialog form={form} onClose={close} title="Save this view" submit="Save">
      <Field label="Name" name="title" hint="This browser remembers the search and the filters.">
        <Input most={MOST} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
