//! Lines of text: which glyph stands where, and how each of them looks.

use std::collections::HashMap;
use std::rc::Rc;

use resvg::tiny_skia::{FillRule, Mask, Path, PathBuilder, Transform};
use ttf_parser::{GlyphId, OutlineBuilder};

/// The fonts that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Face {
    Regular,
    SemiBold,
}

/// Glyphs and how far right of the start they stand.
#[derive(Clone, Debug)]
pub(super) struct Line {
    face: Face,
    size: f32,
    glyphs: Vec<(GlyphId, f32)>,
}

/// A glyph drawn at a size: how much of each pixel it covers.
struct Drawn {
    left: i32,
    top: i32,
    width: usize,
    coverage: Vec<u8>,
}

/// Horizontal places between two pixels that glyphs are drawn at.
const PLACES: f32 = 4.0;

pub(super) struct Typesetter {
    regular: ttf_parser::Face<'static>,
    semi_bold: ttf_parser::Face<'static>,
    drawn: HashMap<(Face, u32, GlyphId, u8), Rc<Drawn>>,
}

impl Typesetter {
    pub(super) fn new() -> Self {
        let parse = |bytes| ttf_parser::Face::parse(bytes, 0).expect("our own fonts are well-formed");
        Self {
            regular: parse(include_bytes!("../../assets/fonts/inter-400.ttf")),
            semi_bold: parse(include_bytes!("../../assets/fonts/inter-600.ttf")),
            drawn: HashMap::new(),
        }
    }

    fn font(&self, face: Face) -> &ttf_parser::Face<'static> {
        match face {
            Face::Regular => &self.regular,
            Face::SemiBold => &self.semi_bold,
        }
    }

    /// One line, cut with an ellipsis where it would be wider than `measure`.
    pub(super) fn line(&self, text: &str, face: Face, size: f32, measure: f32) -> Line {
        let lines = self.lines(text, face, size, measure, 1);
        lines.into_iter().next().unwrap_or(Line {
            face,
            size,
            glyphs: Vec::new(),
        })
    }

    /// As many lines as there may be; the last is cut with an ellipsis.
    pub(super) fn lines(&self, text: &str, face: Face, size: f32, measure: f32, most: usize) -> Vec<Line> {
        let mut lines: Vec<String> = Vec::new();
        let mut current = String::new();
        for word in text.split_whitespace() {
            let longer = if current.is_empty() {
                word.to_owned()
            } else {
                format!("{current} {word}")
            };
            if current.is_empty() || self.width(&longer, face, size) <= measure {
                current = longer;
                continue;
            }
            lines.push(std::mem::replace(&mut current, word.to_owned()));
            if lines.len() > most {
                break;
            }
        }
        if !current.is_empty() {
            lines.push(current);
        }
        let is_cut = lines.len() > most;
        lines.truncate(most);
        let last = lines.len().saturating_sub(1);
        lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let line = self.shortened(line, face, size, measure, is_cut && index == last);
                self.glyphs(&line, face, size)
            })
            .collect()
    }

    /// The text with an ellipsis where it is too wide or `is_cut`.
    fn shortened(&self, text: &str, face: Face, size: f32, measure: f32, is_cut: bool) -> String {
        if !is_cut && self.width(text, face, size) <= measure {
            return text.to_owned();
        }
        let room = measure - self.width("…", face, size);
        let mut end = 0.0;
        let mut kept = String::new();
        for c in text.chars() {
            end += self.advance(c, face, size);
            if end > room {
                break;
            }
            kept.push(c);
        }
        format!("{}…", kept.trim_end_matches([' ', ',', '.', ':', ';']))
    }

    fn advance(&self, c: char, face: Face, size: f32) -> f32 {
        let font = self.font(face);
        let glyph = font.glyph_index(c);
        let units = glyph.and_then(|glyph| font.glyph_hor_advance(glyph)).unwrap_or(0);
        f32::from(units) * size / f32::from(font.units_per_em())
    }

    fn width(&self, text: &str, face: Face, size: f32) -> f32 {
        text.chars().map(|c| self.advance(c, face, size)).sum()
    }

    fn glyphs(&self, text: &str, face: Face, size: f32) -> Line {
        let font = self.font(face);
        let scale = size / f32::from(font.units_per_em());
        let mut x = 0.0;
        let mut before = None;
        let mut glyphs = Vec::new();
        for c in text.chars() {
            let Some(glyph) = font.glyph_index(c) else {
                continue;
            };
            if let Some(before) = before {
                x += f32::from(kerning(font, before, glyph)) * scale;
            }
            glyphs.push((glyph, x));
            x += self.advance(c, face, size);
            before = Some(glyph);
        }
        Line { face, size, glyphs }
    }

    /// Hands over every pixel that the line covers.
    pub(super) fn put(&mut self, line: &Line, x: f32, baseline: f32, mut pixel: impl FnMut(i32, i32, u8)) {
        for (glyph, offset) in &line.glyphs {
            let place = ((x + offset) * PLACES).round() / PLACES;
            let fraction = ((place - place.floor()) * PLACES) as u8;
            let drawn = self.drawn(line.face, line.size, *glyph, fraction);
            let (left, top) = (place.floor() as i32 + drawn.left, baseline as i32 + drawn.top);
            if drawn.width == 0 {
                continue;
            }
            for (row, coverage) in drawn.coverage.chunks_exact(drawn.width).enumerate() {
                for (column, coverage) in coverage.iter().enumerate().filter(|(_, c)| **c > 0) {
                    pixel(left + column as i32, top + row as i32, *coverage);
                }
            }
        }
    }

    fn drawn(&mut self, face: Face, size: f32, glyph: GlyphId, fraction: u8) -> Rc<Drawn> {
        let key = (face, size.to_bits(), glyph, fraction);
        if let Some(drawn) = self.drawn.get(&key) {
            return Rc::clone(drawn);
        }
        let drawn = Rc::new(draw(self.font(face), size, glyph, f32::from(fraction) / PLACES));
        self.drawn.insert(key, Rc::clone(&drawn));
        drawn
    }
}

fn kerning(font: &ttf_parser::Face<'_>, left: GlyphId, right: GlyphId) -> i16 {
    let tables = font.tables().kern.into_iter().flat_map(|kern| kern.subtables);
    tables
        .filter(|table| table.horizontal && !table.variable)
        .find_map(|table| table.glyphs_kerning(left, right))
        .unwrap_or(0)
}

/// Draws a glyph `shift` right of a pixel's edge.
fn draw(font: &ttf_parser::Face<'_>, size: f32, glyph: GlyphId, shift: f32) -> Drawn {
    let nothing = Drawn {
        left: 0,
        top: 0,
        width: 0,
        coverage: Vec::new(),
    };
    let mut outline = Outline(PathBuilder::new());
    let Some(path) = font
        .outline_glyph(glyph, &mut outline)
        .and_then(|_| outline.0.finish())
    else {
        return nothing;
    };
    let scale = size / f32::from(font.units_per_em());
    let scaled =
        |path: Path, x: f32, y: f32| path.transform(Transform::from_row(scale, 0.0, 0.0, -scale, x, y));
    let Some(bounds) = scaled(path.clone(), shift, 0.0).map(|path| path.bounds()) else {
        return nothing;
    };
    let (left, top) = (bounds.left().floor(), bounds.top().floor());
    let width = (bounds.right().ceil() - left) as u32;
    let height = (bounds.bottom().ceil() - top) as u32;
    let (Some(mut mask), Some(path)) = (Mask::new(width, height), scaled(path, shift - left, -top)) else {
        return nothing;
    };
    mask.fill_path(&path, FillRule::Winding, true, Transform::identity());
    Drawn {
        left: left as i32,
        top: top as i32,
        width: width as usize,
        coverage: mask.data().to_vec(),
    }
}

struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
