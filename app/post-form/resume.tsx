import { useState } from 'react'
import type { Draft } from '#app/drafts/draft.ts'
import type { Post } from '#app/posts/post.ts'
import { type Beginning, leftOf } from '#app/post-writing/beginning.ts'
import { discardDraft } from '#app/post-writing/draft-requests.ts'
import { findLocally, forgetLocally, keyOf } from '#app/post-writing/local-copy.ts'
import { tellFailure } from '#app/post-writing/post-answers.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { formatMoment } from '#app/ui/moment.ts'

type ResumeProps = {
  post?: Post
  draft: Draft | null
  viewerId: string
  children: (given: { beginning: Beginning; localKey: string }) => React.ReactNode
}

/** Asks with what to go on where something was left that is not saved yet; else opens the form at once. */
export function Resume({ post, draft, viewerId, children }: ResumeProps) {
  const localKey = keyOf(viewerId, post?.id)
  const [left] = useState(() => leftOf(post, draft, findLocally(localKey)))
  const [beginning, setBeginning] = useState((left.draft ?? left.local) ? undefined : left.saved)
  if (beginning) return children({ beginning, localKey })

  const discard = async () => {
    try {
      if (post && draft) await discardDraft(post.id, draft.version)
      forgetLocally(localKey)
      setBeginning({ ...left.saved, draftVersion: undefined })
    } catch (error) {
      tellFailure('Draft not discarded', error instanceof Error ? error : new Error('Draft not discarded'))
    }
  }
  const seen = post?.published ? 'published' : 'saved'
  return (
    <Card as="section" aria-labelledby="resume-title" className="grid max-w-2xl justify-items-start gap-4">
      <h2 id="resume-title" className="text-h3">
        {post ? `There is a draft newer than what is ${seen}` : 'You have begun a post'}
      </h2>
      <ul className="grid list-disc gap-1 pl-5 text-small text-muted marker:text-grain">
        {left.draft && draft && (
          <li>
            Draft on the server, by {draft.editorId === viewerId ? 'you' : (draft.editor ?? 'someone who has left')},{' '}
            {formatMoment(draft.updatedAt)}
          </li>
        )}
        {left.local && <li>Kept in this browser and not on the server yet, {formatMoment(new Date(left.keptAt).toISOString())}</li>}
      </ul>
      <div className="flex flex-wrap gap-3">
        {left.local && (
          <Button type="button" onClick={() => setBeginning(left.local)}>
            {left.draft ? 'Go on from this browser' : 'Go on writing'}
          </Button>
        )}
        {left.draft && (
          <Button type="button" look={left.local ? 'quiet' : 'primary'} onClick={() => setBeginning(left.draft)}>
            {left.local ? 'Go on from the server' : 'Go on with the draft'}
          </Button>
        )}
        <Button type="button" look="quiet" onClick={() => void discard()}>
          {post ? `Discard, edit what is ${seen}` : 'Start afresh'}
        </Button>
      </div>
    </Card>
  )
}
