use super::Pack;
pub(super) fn prove(_: &Pack) -> Result<(), String> {
    Ok(())
}
