import type { Post } from '#app/blog/posts/post.ts'
import type { InitialPost } from './unsaved-versions.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { useFocusOnErrors } from '#app/ui/use-focus-on-errors.ts'
import { ConflictDialog } from '#app/ui/admin/comparison-dialog.tsx'
import { LeaveDialog } from '#app/ui/admin/leave-dialog.tsx'
import { comparePosts } from './content-comparison.tsx'
import { PostFormFields } from './form-fields.tsx'
import { SaveState } from './save-state.tsx'
import { OtherEditorNotice } from './other-editor-notice.tsx'
import { PostTools } from './post-tools.tsx'
import { postFields } from './post-fields.ts'
import { usePostForm } from './use-post-form.tsx'

type PostFormProps = {
  /** The post to edit; without one, the form creates a post. */
  post?: Post
  beginning: InitialPost
  viewerId: string
  localKey: string
  close: () => void
}

export function PostForm(given: PostFormProps) {
  const { form, copy, leaving } = usePostForm(given)
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
      <OtherEditorNotice form={form} copy={copy} />
      <ErrorSummary errors={form.errors} />
      <PostFormFields form={form} />
      <div className="sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-paper px-2 py-3">
        <div className="grow">
          <SaveState copy={copy} isNew={isNew} isChanged={form.isChanged} />
        </div>
        <Button type="button" look="quiet" onClick={leaving.ask}>
          Cancel
        </Button>
        <Button busy={form.isSaving}>{buttonWords(isNew, form.isSaving)}</Button>
      </div>
      <ConflictDialog form={form} noun="post" differencesTo={(newer) => comparePosts(form.fields, postFields(newer))}>
        It stays in the history either way.
      </ConflictDialog>
      {leaving.isAsking && (
        <LeaveDialog onStay={leaving.stay} onSave={leaving.leave} onDiscard={leaving.discard}>
          {isNew
            ? 'You have unsaved changes. A saved draft stays in this browser.'
            : 'You have unsaved changes. The published post is unaffected.'}
        </LeaveDialog>
      )}
    </form>
  )
}

function buttonWords(isNew: boolean, isSaving: boolean): string {
  if (isSaving) return isNew ? 'Creating...' : 'Updating...'
  return isNew ? 'Create' : 'Update'
}
