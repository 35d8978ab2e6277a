import { useState } from 'react'
import type { PostDraft } from '#app/blog/posts/draft.ts'
import { postFields } from './post-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { ComparisonDialog } from '#app/ui/admin/comparison-dialog.tsx'
import { comparePosts } from './content-comparison.tsx'
import type { PostFormState } from './use-post-form.tsx'
import type { WorkingCopy } from './use-working-copy.tsx'

/** Warns as soon as someone else edits or saves the same post. */
export function OtherEditorNotice({ form, copy }: { form: PostFormState; copy: WorkingCopy }) {
  const { theirs, isSavedMeanwhile } = copy.neighbour
  if (copy.state.kind === 'elsewhere') return <Elsewhere form={form} copy={copy} theirs={theirs} />
  if (!isSavedMeanwhile) return null
  return (
    <Notice>
      Someone else saved this post after you opened it. Click {form.isNew ? 'Create' : 'Update'} to compare both versions. Nothing is
      overwritten until you choose.
    </Notice>
  )
}

function Elsewhere({ form, copy, theirs }: { form: PostFormState; copy: WorkingCopy; theirs: PostDraft | undefined }) {
  const [isComparing, setComparing] = useState(false)
  const who = copy.neighbour.isSelf ? 'You, in another window,' : (theirs?.editor ?? 'Someone else')
  const close = () => setComparing(false)
  return (
    <Notice>
      <span>
        {who} changed this draft{theirs && `, ${formatMoment(theirs.updatedAt)}`}. Your text is saved in this browser until you decide.
      </span>
      <Button
        type="button"
        look="quiet"
        size="small"
        onClick={() => {
          if (!theirs) void copy.neighbour.look()
          setComparing(true)
        }}
      >
        Compare
      </Button>
      {isComparing && theirs && (
        <ComparisonDialog
          title="Two drafts of this post"
          {...comparePosts(form.fields, postFields(theirs.fields))}
          keep="Use mine"
          onClose={close}
          onKeep={() => {
            copy.keepMine(theirs)
            close()
          }}
          onTake={() => {
            const fields = postFields(theirs.fields)
            copy.takeTheirs(theirs, fields)
            form.replace({ fields, baseVersion: theirs.baseVersion, draftVersion: theirs.version, isUnsent: false })
            close()
          }}
        >
          {who} wrote another draft. The draft that you do not choose is deleted. The saved post is unaffected.
        </ComparisonDialog>
      )}
    </Notice>
  )
}

function Notice({ children }: { children: React.ReactNode }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-transparent bg-grain-wash px-4 py-3 text-small"
    >
      {children}
    </div>
  )
}
