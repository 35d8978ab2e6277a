import { useState } from 'react'
import { format, type Format, formats } from '#app/redirect-files/rule-file.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { EXPORT } from './rule-import.ts'

const meanings: Record<Format, string> = {
  csv: 'Everything of a redirect, for a spreadsheet and for an import here.',
  json: 'Everything of a redirect, for programs and for an import here.',
  apache: 'RewriteRule lines for an .htaccess file. What they cannot say is named in a comment.',
  nginx: 'Directives for a server block. What they cannot say is named in a comment.',
}

export function ExportDialog({ close }: { close: () => void }) {
  const [chosen, setChosen] = useState<Format>('csv')
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={close}>
        Cancel
      </Button>
      <Button
        type="button"
        onClick={() => {
          // The server names the file; a link that is to be saved keeps the page where it is, also when the answer is an error.
          Object.assign(document.createElement('a'), { href: `${EXPORT}?format=${chosen}`, download: '' }).click()
          close()
        }}
      >
        Download
      </Button>
    </>
  )
  return (
    <Dialog open onClose={close} title="Export redirects" actions={actions}>
      <Field label="Format" name="format" hint={meanings[chosen]}>
        <Select value={chosen} onChange={({ target }) => setChosen(format.safeParse(target.value).data ?? 'csv')}>
          {formats.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </Dialog>
  )
}
