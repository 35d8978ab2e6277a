import { useState } from 'react'
import { formats } from '#app/redirects/formats/rule-file.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { exportFormats, REDIRECT_EXPORT, type RedirectExportFormat } from './rule-import.ts'

const meanings: Record<RedirectExportFormat, string> = {
  csv: 'All fields, for spreadsheets and for importing here.',
  xlsx: 'All fields, as an Excel workbook to read and to sort.',
  json: 'All fields, for programs and for importing here.',
  apache: 'RewriteRule lines for an .htaccess file. Unsupported rules are listed in a comment.',
  nginx: 'Directives for a server block. Unsupported rules are listed in a comment.',
}

export function ExportDialog({ close }: { close: () => void }) {
  const [chosen, setChosen] = useState<RedirectExportFormat>('csv')
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={close}>
        Cancel
      </Button>
      <Button
        type="button"
        onClick={() => {
          // The server names the file. A saved link keeps the page in place, also when the response is an error.
          Object.assign(document.createElement('a'), { href: `${REDIRECT_EXPORT}?format=${chosen}`, download: '' }).click()
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
        <Select value={chosen} onChange={({ target }) => setChosen(exportFormats.safeParse(target.value).data ?? 'csv')}>
          {[...formats, { value: 'xlsx', label: 'Excel' }].map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </Dialog>
  )
}
