import { useState } from 'react'
import type { NewPreviewLink } from '#app/blog/posts/preview.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatMoment } from '#app/ui/moment.ts'

/** Shows the URL of a new link once: only its hash is stored. */
export function NewLink({ link: { url, expiresAt } }: { link: NewPreviewLink }) {
  const [copied, setCopied] = useState<string>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      setCopied(url)
    } catch {
      // Without permission for the clipboard the text can still be selected by hand.
      setCopied(undefined)
    }
  }
  return (
    <div className="grid gap-2 rounded-card border border-line bg-sunken p-4">
      <Field
        label="New link"
        name="preview-link"
        id="preview-link"
        tool
        hint={`Copy this link now. You won’t be able to see it again. Expires ${formatMoment(expiresAt)}.`}
      >
        <Input readOnly value={url} onFocus={(event) => event.target.select()} className="font-mono text-small" />
      </Field>
      <div className="flex items-center gap-3">
        <Button type="button" look="quiet" size="small" onClick={() => void copy()}>
          Copy
        </Button>
        <span role="status" className="text-small text-muted">
          {copied === url && 'Copied'}
        </span>
      </div>
    </div>
  )
}
