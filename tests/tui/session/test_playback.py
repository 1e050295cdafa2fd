from mcptap.tui.session.playback import Playback

TIMES = [0, 100_000, 200_000, 5_000_000, 5_100_000]


def played(head=0, **fields):
    playback = Playback(TIMES, head)
    playback.playing = True
    for name, value in fields.items():
        setattr(playback, name, value)
    return playback


def test_records_come_in_their_own_time():
    playback = played()
    assert not playback.advance(0.05)
    assert playback.head == 0
    assert playback.advance(0.06)
    assert playback.head == 1


def test_twice_the_speed_takes_half_the_time():
    playback = played(speed=2.0)
    playback.advance(0.1)
    assert playback.head == 2


def test_a_pause_is_cut_to_the_limit():
    playback = played(head=2, idle_limit=500_000)
    playback.advance(0.4)
    assert playback.head == 2
    playback.advance(0.2)
    assert playback.head == 3


def test_without_a_limit_a_pause_is_played_in_full():
    playback = played(head=2, idle_limit=None)
    playback.advance(4.7)
    assert playback.head == 2
    playback.advance(0.15)
    assert playback.head == 3


def test_the_limit_is_of_the_viewers_time():
    playback = played(head=2, speed=100.0, idle_limit=2_000_000)
    playback.advance(0.01)
    assert playback.head == 2
    playback.advance(0.05)
    assert playback.at_end


def test_it_stops_at_the_end_and_then_begins_anew():
    playback = played(head=4)
    playback.advance(1)
    assert not playback.playing
    playback.play_or_pause()
    assert (playback.head, playback.playing) == (0, True)


def test_a_step_holds():
    playback = played(head=2)
    playback.step(1)
    assert (playback.head, playback.position_us, playback.playing) == (3, 5_000_000, False)
    playback.step(-9)
    assert playback.head == 0


def test_speeds_end_at_a_tenth_and_a_hundredfold():
    playback = played()
    playback.change_speed(99)
    assert playback.speed == 100
    playback.change_speed(-99)
    assert playback.speed == 0.1


def test_a_time_between_two_records_shows_the_earlier_one():
    playback = played()
    playback.to_time(4_000_000)
    assert (playback.head, playback.position_us) == (2, 4_000_000)


def test_a_session_that_grows_is_played_on():
    times = [0]
    playback = Playback(times)
    times.append(50_000)
    playback.play_or_pause()
    playback.advance(0.06)
    assert playback.head == 1


def test_an_empty_session_can_be_played():
    playback = Playback([])
    playback.play_or_pause()
    assert not playback.advance(1)
