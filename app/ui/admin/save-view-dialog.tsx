import { useState } from 'react'
import { characterCount } from '#app/platform/clean-text.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'

const MOST = 60

type SaveViewDialogProps = { taken: readonly string[]; save: (title: string) => void; close: () => void }

/** Asks for the name of a view. */
export function SaveViewDialog({ taken, save, close }: SaveViewDialogProps) {
  const [error, setError] = useState<string>()
  return (
    <FormDialog
      onClose={close}
      title="Save this view"
      submit="Save"
      busy={false}
      onSubmit={({ title = '' }) => {
        const given = title.trim()
        if (given === '') return setError('Give the view a name')
        if (characterCount(given) > MOST) return setError(`A name has at most ${MOST} characters`)
        if (taken.includes(given)) return setError('A view has this name')
        save(given)
        close()
      }}
    >
      <Field label="Name" name="title" error={error} hint="This browser remembers the search and the filters.">
        <Input most={MOST} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
