import { useState } from 'react'
import { HistoryDialog } from './history-dialog.tsx'
import { PreviewLinksDialog } from './preview-links-dialog.tsx'
import { postFields } from './post-fields.ts'
import { Button } from '#app/ui/button.tsx'
import type { PostFormState } from './use-post-form.tsx'
import type { WorkingCopy } from './use-working-copy.tsx'

export function PostTools({ postId, form, copy }: { postId: string; form: PostFormState; copy: WorkingCopy }) {
  const [open, setOpen] = useState<'history' | 'links'>()
  const close = () => setOpen(undefined)
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="button" look="quiet" size="small" onClick={() => setOpen('history')}>
        History
      </Button>
      <Button type="button" look="quiet" size="small" onClick={() => setOpen('links')}>
        Preview links
      </Button>
      {open === 'history' && (
        <HistoryDialog
          postId={postId}
          onClose={close}
          settleDraft={copy.settle}
          onRestored={(restored) => {
            const fields = postFields(restored.fields)
            copy.takeTheirs(restored, fields)
            form.replace({ fields, baseVersion: restored.baseVersion, draftVersion: restored.version, isUnsent: false })
            close()
          }}
        />
      )}
      {open === 'links' && <PreviewLinksDialog postId={postId} onClose={close} />}
    </div>
  )
}
