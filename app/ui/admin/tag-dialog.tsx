import { useState } from 'react'
import { characterCount } from '#app/platform/clean-text.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'

/** In characters, everywhere. */
const TAG_MAX = 40

type TagDialogProps = {
  open: 'tag' | 'untag'
  /** The chosen rows in words: `3 posts`. */
  items: string
  send: (tag: string) => void
  busy: boolean
  close: () => void
}

/** Asks for the tag that the chosen rows of a list get or lose. */
export function TagDialog({ open, items, send, busy, close }: TagDialogProps) {
  const [error, setError] = useState<string>()
  return (
    <FormDialog
      onClose={close}
      title={open === 'tag' ? `Tag ${items}` : `Remove a tag from ${items}`}
      submit={open === 'tag' ? 'Add tag' : 'Remove tag'}
      busy={busy}
      onSubmit={({ tag = '' }) => {
        if (tag.trim() === '') return setError('Enter a tag')
        if (characterCount(tag.trim()) > TAG_MAX) return setError(`A tag must be at most ${TAG_MAX} characters`)
        send(tag.trim())
      }}
    >
      <Field label="Tag" name="tag" error={error}>
        <Input most={TAG_MAX} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
