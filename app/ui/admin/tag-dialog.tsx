import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useForm } from './use-form.ts'

/** In characters, everywhere. */
const TAG_MAX = 40

const tagBody = z.object({
  tag: z.string().check(z.trim(), z.minLength(1, 'Enter a tag'), ...atMost(TAG_MAX, `A tag must be at most ${TAG_MAX} characters`)),
})

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
  const form = useForm({ schema: tagBody, send: async ({ tag }) => send(tag), failed: 'Not tagged' })
  return (
    <FormDialog
      form={{ ...form, isSaving: busy }}
      onClose={close}
      title={open === 'tag' ? `Tag ${items}` : `Remove a tag from ${items}`}
      submit={open === 'tag' ? 'Add tag' : 'Remove tag'}
    >
      <Field label="Tag" name="tag">
        <Input most={TAG_MAX} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
