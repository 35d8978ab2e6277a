import { useState } from 'react'
import type { Draft } from '#app/drafts/draft.ts'
import { fieldsOf } from '#app/post-writing/post-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { ComparisonDialog } from './comparison-dialog.tsx'
import type { PostFormState } from './use-post-form.tsx'
import type { WorkingCopy } from './use-working-copy.tsx'

/** Says as soon as it is known that another writes the same post or has saved it. */
export function NeighbourNotice({ form, copy }: { form: PostFormState; copy: WorkingCopy }) {
  const { theirs, isSavedMeanwhile } = copy.neighbour
  if (copy.state.kind === 'elsewhere') return <Elsewhere form={form} copy={copy} theirs={theirs} />
  if (!isSavedMeanwhile) return null
  return (
    <Notice>
      This post has been saved by someone else since you began. Press Update to see both versions: nothing is overwritten before you choose.
    </Notice>
  )
}

function Elsewhere({ form, copy, theirs }: { form: PostFormState; copy: WorkingCopy; theirs: Draft | undefined }) {
  const [isComparing, setComparing] = useState(false)
  const who = copy.neighbour.isSelf ? 'You, in another window, have' : `${theirs?.editor ?? 'Someone else'} has`
  const close = () => setComparing(false)
  return (
    <Notice>
      <span>
        {who} changed this draft{theirs && `, ${formatMoment(theirs.updatedAt)}`}. What you type is kept in this browser until you decide.
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
          mine={form.fields}
          theirs={fieldsOf(theirs.fields)}
          keep="Keep mine"
          onClose={close}
          onKeep={() => {
            copy.keepMine(theirs)
            close()
          }}
          onTake={() => {
            const fields = fieldsOf(theirs.fields)
            copy.takeTheirs(theirs, fields)
            form.replace({ fields, baseVersion: theirs.baseVersion, draftVersion: theirs.version, isUnsent: false })
            close()
          }}
        >
          {who} written another draft. The one that you do not choose is gone; what is saved of the post stays as it is.
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
