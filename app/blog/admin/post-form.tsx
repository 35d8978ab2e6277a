import { useEffect, useState } from 'react'
import type { Post } from '#app/blog/posts/post.ts'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { useFocusOnErrors } from '#app/ui/use-focus-on-errors.ts'
import { ConflictDialog } from '#app/ui/admin/comparison-dialog.tsx'
import { LeaveDialog } from '#app/ui/admin/leave-dialog.tsx'
import type { InitialPost } from './unsaved-versions.ts'
import { comparePosts } from './content-comparison.tsx'
import { PostFormFields } from './form-fields.tsx'
import { OtherEditorNotice } from './other-editor-notice.tsx'
import { postFields } from './post-fields.ts'
import { type PostFormState, usePostForm } from './use-post-form.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { PreviewLinksDialog } from './preview-links-dialog.tsx'
import type { WorkingCopy } from './use-working-copy.tsx'

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
  const full = useFullScreen(element)
  useEffect(() => {
    // The button that opened the form is gone, and with it the focus.
    element.current?.querySelector<HTMLInputElement>('[name="title"]')?.focus({ preventScroll: true })
  }, [element])
  return (
    <form
      ref={element}
      noValidate
      aria-labelledby="form-title"
      className={cx(
        'grid grid-cols-1 gap-6',
        full.isOn && 'fixed inset-0 z-40 overflow-y-auto overscroll-contain bg-paper px-4 pt-4 sm:px-8',
      )}
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="form-title" className="text-h3">
          {isNew ? 'Create New Blog Post' : 'Edit Blog Post'}
        </h2>
        <div className="flex flex-wrap gap-2">
          {given.post && <PostTools postId={given.post.id} form={form} copy={copy} />}
          <Button type="button" look="quiet" size="small" onClick={full.toggle}>
            {full.isOn ? 'Leave full screen' : 'Full screen'}
          </Button>
        </div>
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
        <Button look={form.fields.published ? 'primary' : 'quiet'} busy={form.isSaving}>
          {buttonWords(isNew, form.isSaving)}
        </Button>
        {!form.fields.published && <PublishButton form={form} />}
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

/** The form over the whole window. It ends when the focus moves to a part of the page that it covers. */
function useFullScreen(form: React.RefObject<HTMLElement | null>) {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const check = ({ target }: FocusEvent) => {
      const isCovered =
        target instanceof Element && !form.current?.contains(target) && !target.closest('dialog, [role=dialog], [role=region]')
      if (isCovered) setOn(false)
    }
    document.addEventListener('focusin', check)
    return () => document.removeEventListener('focusin', check)
  }, [form, isOn])
  return { isOn, toggle: () => setOn((now) => !now) }
}

/** Saves and publishes in one step: a date in the future schedules the post. */
function PublishButton({ form }: { form: PostFormState }) {
  return (
    <Button type="button" busy={form.isSaving} onClick={() => void form.submit({ published: true })}>
      {isFuture(form.fields.publishedAt) ? 'Schedule' : 'Publish'}
    </Button>
  )
}

function isFuture(moment: string): boolean {
  return moment !== '' && new Date(moment) > new Date()
}

function buttonWords(isNew: boolean, isSaving: boolean): string {
  if (isSaving) return isNew ? 'Creating...' : 'Updating...'
  return isNew ? 'Create' : 'Update'
}

function PostTools({ postId, form, copy }: { postId: string; form: PostFormState; copy: WorkingCopy }) {
  const [open, setOpen] = useState<'history' | 'links'>()
  const close = () => setOpen(undefined)
  return (
    <>
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
    </>
  )
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

function SaveState({ copy, isNew, isChanged }: { copy: WorkingCopy; isNew: boolean; isChanged: boolean }) {
  const { state } = copy
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-small text-muted">
      {isNew ? isChanged && newWords(copy.isKeptHere) : words(copy)}
      {state.kind === 'failed' && (
        <Button type="button" look="quiet" size="small" onClick={() => void copy.flush()}>
          Retry
        </Button>
      )}
    </p>
  )
}

function newWords(isKeptHere: boolean): string {
  return isKeptHere ? 'Saved in this browser until you click Create.' : 'Not saved yet. Click Create to save it.'
}

function words({ state, isKeptHere }: WorkingCopy): string {
  switch (state.kind) {
    case 'idle':
      return ''
    case 'waiting':
      return 'Not saved yet'
    case 'saving':
      return 'Saving...'
    case 'saved':
      return `Draft saved ${clock.format(new Date(state.at))}`
    case 'failed':
      return isKeptHere ? 'Saved in this browser only. Couldn’t reach the server.' : 'Not saved.'
    case 'elsewhere':
      return 'Not saved: someone else changed the draft.'
  }
}
