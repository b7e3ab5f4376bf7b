/** A checkbox that hides the NSFW images in the next element until it is checked, without a script. */
export function ContentWarning({ heading, source, action }: { heading: string; source: string; action: string }) {
  return (
    <label class="content-warning">
      <span>
        <strong>{heading}</strong>
        <span class="source">{source}</span>
      </span>
      <span class="words">
        <input type="checkbox" autocomplete="off" /> {action}
      </span>
    </label>
  )
}
