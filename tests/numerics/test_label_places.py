from gpf_desktop.numerics.label_places import Box, Named, label_places

FRAME = Box(left=0, top=0, right=400, bottom=300)


def named(x, y):
    return Named(x=x, y=y, width=60, height=14)


def test_that_a_name_with_room_stands_right_above_its_point():
    assert label_places([named(200, 150)], [], FRAME) == [(False, False)]


def test_that_names_of_neighbours_do_not_lie_over_each_other():
    points = [named(200, 150), named(210, 148), named(205, 152), named(195, 149)]
    boxes = [
        point.box(left=left, below=below)
        for point, (left, below) in zip(points, label_places(points, [], FRAME), strict=True)
    ]
    apart = [a.shared(b) for at, a in enumerate(boxes) for b in boxes[at + 1 :]]
    assert max(apart) < 60 * 14 / 5


def test_that_a_name_leaves_neither_the_frame_nor_covers_a_mark():
    assert label_places([named(390, 150)], [], FRAME) == [(True, False)]
    assert label_places([named(200, 5)], [], FRAME) == [(False, True)]
    above = Box(left=180, top=130, right=400, bottom=149)
    assert label_places([named(200, 150)], [above], FRAME) == [(False, True)]
