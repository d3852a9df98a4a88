//! Where a pointer is on a drawing, in the drawing's own measure.

use wasm_bindgen::JsCast;

/// The point of a pointer event in the measure of the `<svg>` it happened in.
pub fn on_drawing(event: &web_sys::PointerEvent, element: &web_sys::Element) -> Option<(f64, f64)> {
    let svg: web_sys::SvgsvgElement = element.closest("svg").ok().flatten()?.dyn_into().ok()?;
    let matrix = svg.get_screen_ctm()?.inverse().ok()?;
    let point = svg.create_svg_point();
    point.set_x(event.client_x() as f32);
    point.set_y(event.client_y() as f32);
    let point = point.matrix_transform(&matrix);
    Some((f64::from(point.x()), f64::from(point.y())))
}

/// The element an event is handled by.
pub fn handled_by(event: &web_sys::Event) -> Option<web_sys::Element> {
    event.current_target()?.dyn_into().ok()
}
