import { useState } from 'react'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'

type MoveDialogProps = { name: string; place: number; count: number; meaning: string; move: (place: number) => void; close: () => void }

/** Moves an item without dragging, also in a list that is longer than a page. */
export function MoveDialog({ name, place, count, meaning, move, close }: MoveDialogProps) {
  const [error, setError] = useState<string>()
  return (
    <FormDialog
      onClose={close}
      title="Move to a position"
      submit="Move"
      busy={false}
      onSubmit={({ place: given = '' }) => {
        const to = Number(given)
        if (!Number.isInteger(to) || to < 1 || to > count) return setError(`Give a number from 1 to ${count}`)
        move(to)
        close()
      }}
    >
      <p className="font-mono text-small wrap-anywhere">{name}</p>
      <Field label="Position" name="place" error={error} hint={`It is number ${place} of ${count}. ${meaning}`}>
        <Input inputMode="numeric" autoComplete="off" defaultValue={place} />
      </Field>
    </FormDialog>
  )
}
