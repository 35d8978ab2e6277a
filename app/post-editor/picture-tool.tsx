import { useState } from 'react'
import { z } from 'zod/mini'
import { oneLine } from '#app/platform/clean-text.ts'
import { firstErrors } from '#app/platform/first-errors.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { type MarkdownCommand, pictureCommand } from './markdown-command.ts'

const picture = z.object({
  url: z
    .string()
    .check(z.trim(), z.regex(/^(https?:\/\/[^\s()]+|\/images\/[\w./-]+)$/, 'Give the address of a picture, beginning with https://')),
  alt: z
    .string()
    .check(z.overwrite(oneLine), z.minLength(1, 'Alt text is required'), z.maxLength(300, 'Alt text must be at most 300 characters')),
})

type PictureToolProps = { run: (command: MarkdownCommand) => void; close: () => void }

/** Puts a picture where the cursor is. No picture comes without words for those who do not see it. */
export function PictureTool({ run, close }: PictureToolProps) {
  const [errors, setErrors] = useState<Record<string, string>>({})
  return (
    <FormDialog
      title="Insert a picture"
      submit="Insert"
      busy={false}
      onClose={close}
      onSubmit={(given) => {
        const read = picture.safeParse(given)
        if (!read.success) return setErrors(firstErrors(read.error))
        close()
        run(pictureCommand(read.data))
      }}
    >
      <Field label="Address" name="url" id="picture-url" error={errors['url']}>
        <Input placeholder="https://" autoComplete="off" />
      </Field>
      <Field label="Alt text" name="alt" id="picture-alt" error={errors['alt']} hint="What someone who cannot see it should know.">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
