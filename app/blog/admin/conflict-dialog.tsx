import { postFields } from './post-fields.ts'
import { formatMoment } from '#app/ui/moment.ts'
import { ComparisonDialog } from './comparison-dialog.tsx'
import type { PostFormState } from './use-post-form.tsx'

/** Someone else saved the post first, so the server refused to overwrite it. */
export function PostConflictDialog({ form }: { form: PostFormState }) {
  const newer = form.conflict
  if (!newer) return null
  return (
    <ComparisonDialog
      title="Someone else saved this post"
      mine={form.fields}
      theirs={postFields(newer)}
      keep="Overwrite with mine"
      onKeep={() => void form.settle(newer, 'mine')}
      onTake={() => void form.settle(newer, 'theirs')}
      onClose={form.leaveConflict}
    >
      Version {newer.version} was saved after you opened the post, on {formatMoment(newer.updatedAt)}. It stays in the history either way.
    </ComparisonDialog>
  )
}
