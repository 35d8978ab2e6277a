import { useRef } from 'react'
import { readForeignText } from '#app/platform/text/foreign-text.ts'
import { detectFormat, fileLimits, format, type Format, formats } from '#app/redirects/formats/rule-file.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select, Textarea } from '#app/ui/input.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { toast } from '#app/ui/toast.ts'

type Chosen = { text: string; format: Format; replace: boolean }
type ChooseFileProps = { given: Chosen; change: (changes: Partial<Chosen>) => void; error: string | undefined }

/** A file or pasted text to import. The format is guessed and can be changed. */
export function ChooseFile({ given, change, error }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null)
  async function read(file: File | undefined) {
    if (!file) return
    // A UTF-8 character has at most four bytes, so a larger file is over the limit in any case.
    if (file.size > fileLimits.characters * 4) return toast({ title: 'This file is too long', look: 'danger' })
    const text = readForeignText(new Uint8Array(await file.arrayBuffer()))
    change({ text, format: detectFormat(text, file.name) })
  }
  return (
    <>
      <p className="text-small text-muted">
        Redirects of another program, of Apache or nginx, or an export from here. They are looked at first; nothing is written yet.
      </p>
      <div>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="File"
          accept=".csv,.tsv,.txt,.json,.htaccess,.conf,text/*,application/json"
          onChange={({ target }) => {
            void read(target.files?.[0])
            // Choosing the same file again must fire a change event.
            target.value = ''
          }}
        />
        <Button type="button" look="quiet" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
      </div>
      <Field label="Or paste the text" name="text" error={error}>
        <Textarea
          value={given.text}
          spellCheck={false}
          className="field-sizing-fixed h-40 font-mono text-fine"
          onChange={({ target: { value } }) => change({ text: value, format: detectFormat(value) })}
        />
      </Field>
      <Field label="Format" name="format">
        <Select value={given.format} onChange={({ target }) => change({ format: format.safeParse(target.value).data ?? 'csv' })}>
          {formats.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Switch label="Replace all existing redirects" checked={given.replace} onChange={(replace) => change({ replace })} />
    </>
  )
}
