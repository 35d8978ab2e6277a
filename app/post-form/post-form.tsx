import type { Post } from '#app/posts/post.ts'
import type { Beginning } from '#app/post-writing/beginning.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { useFocusOnErrors } from '#app/ui/use-focus-on-errors.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { FormFields } from './form-fields.tsx'
import { KeptState } from './kept-state.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { NeighbourNotice } from './neighbour-notice.tsx'
import { PostTools } from './post-tools.tsx'
import { usePostWriting } from './use-post-writing.tsx'

type PostFormProps = {
  /** The post to change; without one, a new one is made. */
  post?: Post
  beginning: Beginning
  viewerId: string
  localKey: string
  close: () => void
}

export function PostForm(given: PostFormProps) {
  const { form, copy, leaving } = usePostWriting(given)
  const element = useFocusOnErrors(form.errors)
  const isNew = !given.post
  return (
    <form
      ref={element}
      noValidate
      aria-labelledby="form-title"
      className="grid grid-cols-1 gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="form-title" className="text-h3">
          {isNew ? 'Create New Blog Post' : 'Edit Blog Post'}
        </h2>
        {given.post && <PostTools postId={given.post.id} form={form} copy={copy} />}
      </div>
      <NeighbourNotice form={form} copy={copy} />
      <ErrorSummary errors={form.errors} />
      <FormFields form={form} />
      <div className="sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-paper px-2 py-3">
        <div className="grow">
          <KeptState copy={copy} isNew={isNew} isChanged={form.isChanged} />
        </div>
        <Button type="button" look="quiet" onClick={leaving.ask}>
          Cancel
        </Button>
        <Button busy={form.isSaving}>{buttonWords(isNew, form.isSaving)}</Button>
      </div>
      <ConflictDialog form={form} />
      {leaving.isAsking && <LeaveDialog isNew={isNew} onStay={leaving.stay} onLeave={leaving.leave} onDiscard={leaving.discard} />}
    </form>
  )
}

function buttonWords(isNew: boolean, isSaving: boolean): string {
  if (isSaving) return isNew ? 'Creating...' : 'Updating...'
  return isNew ? 'Create' : 'Update'
}
