/** A checkbox that hides the NSFW pictures in the next element until it is checked, without a script. */
export function ContentWarning({ heading, action }: { heading: string; action: string }) {
  return (
    <label class="content-warning">
      <strong>{heading}</strong>
      <span class="words">
        <input type="checkbox" autocomplete="off" /> {action}
      </span>
    </label>
  )
}
