import { fieldsOf } from '#app/post-writing/post-fields.ts'
import { formatMoment } from '#app/ui/moment.ts'
import { ComparisonDialog } from './comparison-dialog.tsx'
import type { PostFormState } from './use-post-form.tsx'

/** Another has saved the post meanwhile, and the server has refused to overwrite it. */
export function ConflictDialog({ form }: { form: PostFormState }) {
  const newer = form.conflict
  if (!newer) return null
  return (
    <ComparisonDialog
      title="Someone else has saved this post"
      mine={form.fields}
      theirs={fieldsOf(newer)}
      keep="Save mine over theirs"
      onKeep={() => void form.settle(newer, 'mine')}
      onTake={() => void form.settle(newer, 'theirs')}
      onClose={form.leaveConflict}
    >
      Version {newer.version} was saved after you had begun, on {formatMoment(newer.updatedAt)}. It stays in the history whatever you
      choose.
    </ComparisonDialog>
  )
}
